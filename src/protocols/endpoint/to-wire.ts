import { cancelText, isTurnEnd, type SessionEvent } from '../../domain/events.js';
import { unreachable } from '../../util/unreachable.js';
import { toolCallMetadata, toGuideToolCall, type Wire } from '../development-tool/tool-call.js';

/** A session event in the flat shape of the endpoint's user guide (seed 001). Pure. */
export function toEndpoint(event: SessionEvent): Wire {
  const stamp = { taskId: event.sessionId, seq: event.seq };
  // Assigned, not spread: this runs for every event, and V8 is slow at spreading into a larger object.
  return Object.assign(contentOf(event), event.turnId === undefined ? stamp : { ...stamp, turnId: event.turnId });
}

function contentOf(event: SessionEvent): Wire {
  switch (event.type) {
    case 'text':
      return { kind: 'TEXT_CONTENT', content: { text: event.text } };
    case 'thought':
      return { kind: 'THOUGHT', content: { subject: event.subject, description: event.description } };
    case 'tool':
      return { kind: 'TOOL_CALL_UPDATE', ...toGuideToolCall(event.call), metadata: toolCallMetadata(event.call) };
    case 'turn': {
      const final = isTurnEnd(event.state) ? { final: true } : {};
      return { kind: 'STATE_CHANGE', state: event.state, ...final, ...(event.error ? { error: event.error } : {}) };
    }
    case 'prompt': {
      const { text, origin, messageId, queued } = event;
      const ids = { ...(messageId === undefined ? {} : { messageId }), ...(queued === undefined ? {} : { queued }) };
      return { kind: 'USER_MESSAGE', content: { text }, origin, ...ids };
    }
    case 'citation':
      return { kind: 'CITATION', content: { text: event.text } };
    case 'usage':
      return { kind: 'USAGE', usage: event.usage };
    case 'settings':
      return { kind: 'SETTINGS', model: event.model, approvalMode: event.approvalMode, userTier: event.userTier };
    case 'log':
      return { kind: 'CONSOLE_LOG', level: event.level, content: { text: event.text } };
    case 'cancel':
      return { kind: 'CONSOLE_LOG', level: 'info', content: { text: cancelText(event.by) } };
    case 'error':
      return { kind: 'ERROR', message: event.message };
    case 'reply':
      return { kind: 'TEXT_CONTENT', content: { text: event.text } };
    case 'artifact':
      return {
        kind: 'ARTIFACT',
        artifact: event.artifact,
        append: event.append ?? false,
        lastChunk: event.lastChunk ?? true,
      };
    default:
      return unreachable(event);
  }
}

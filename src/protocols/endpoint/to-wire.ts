import { cancelText, isTurnEnd, type SessionEvent } from '../../domain/events.js';
import { unreachable } from '../../util/unreachable.js';
import type { Events } from './events.js';
import { toMetadata, toToolCall } from './tool-call.js';

/** A session event in the flat shape of the endpoint's user guide (seed 001). Pure. */
export function toEndpoint(event: SessionEvent): Events[keyof Events] {
  const stamp = { taskId: event.sessionId, seq: event.seq };
  // Assigned, not spread: this runs for every event, and V8 is slow at spreading into a larger object.
  return Object.assign(contentOf(event), event.turnId === undefined ? stamp : { ...stamp, turnId: event.turnId });
}

/** An event before it is stamped. */
type Content = { [K in keyof Events]: Unstamped<Events[K]> }[keyof Events];
type Unstamped<Event> = Event extends unknown ? Omit<Event, 'taskId' | 'seq' | 'turnId'> : never;

function contentOf(event: SessionEvent): Content {
  switch (event.type) {
    case 'text':
      return { kind: 'TEXT_CONTENT', content: { text: event.text } };
    case 'thought':
      return { kind: 'THOUGHT', content: { subject: event.subject, description: event.description } };
    case 'tool':
      return { kind: 'TOOL_CALL_UPDATE', ...toToolCall(event.call), metadata: toMetadata(event.call) };
    case 'turn': {
      const { state, error } = event;
      const final = isTurnEnd(state) ? ({ final: true } as const) : {};
      return { kind: 'STATE_CHANGE', state, ...final, ...(error ? { error } : {}) };
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
    case 'settings': {
      const { model, approvalMode, userTier } = event;
      const mode = approvalMode === undefined ? {} : { approvalMode };
      return { kind: 'SETTINGS', model, ...mode, ...(userTier === undefined ? {} : { userTier }) };
    }
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

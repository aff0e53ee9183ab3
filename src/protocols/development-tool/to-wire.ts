import { isTurnEnd, type SessionEvent, type TurnState } from '../../domain/events.js';
import { unreachable } from '../../util/unreachable.js';
import { extensionUri } from './extension.js';
import { toolCallMetadata, toWireToolCall, type Wire } from './tool-call.js';

/** A session event as an A2A `TaskStatusUpdateEvent` (v0.3 JSON) of the development-tool extension. Pure. */
export function toStatusUpdate(event: SessionEvent, model: string): Wire {
  const { kind, role = 'agent', part, extra = {}, error } = contentOf(event);
  const state = stateOf(event);
  const message = part && { kind: 'message', messageId: `${event.sessionId}-${event.seq}`, role, parts: [part] };
  return {
    kind: 'status-update',
    taskId: event.sessionId,
    contextId: event.sessionId,
    status: { state, timestamp: event.at, ...(message ? { message } : {}) },
    final: event.type === 'turn' && isTurnEnd(event.state),
    metadata: {
      [extensionUri]: { kind, model, ...(error === undefined ? {} : { error }) },
      coderAgent: { kind: kind.toLowerCase().replaceAll('_', '-') },
      seq: event.seq,
      ...(event.turnId === undefined ? {} : { turnId: event.turnId }),
      ...extra,
    },
  };
}

type Content = { kind: string; role?: 'user'; part?: Wire; extra?: Wire; error?: string };

const text = (value: string): Wire => ({ kind: 'text', text: value });
const data = (value: Wire): Wire => ({ kind: 'data', data: value });

function contentOf(event: SessionEvent): Content {
  switch (event.type) {
    case 'text':
      return { kind: 'TEXT_CONTENT', part: text(event.text) };
    case 'prompt': {
      const queued = event.queued === undefined ? {} : { queued: event.queued };
      return { kind: 'TEXT_CONTENT', role: 'user', part: text(event.text), extra: { origin: event.origin, ...queued } };
    }
    case 'thought':
      return { kind: 'THOUGHT', part: data({ subject: event.subject, description: event.description }) };
    case 'tool':
      return { kind: 'TOOL_CALL_UPDATE', part: data(toWireToolCall(event.call)), extra: toolCallMetadata(event.call) };
    case 'turn':
      return { kind: 'STATE_CHANGE', ...(event.error === undefined ? {} : { error: event.error }) };
    case 'citation':
      return { kind: 'TEXT_CONTENT', part: text(event.text), extra: { citation: true } };
    case 'error':
      return { kind: 'STATE_CHANGE', error: event.message };
    // The RFC has no kind for these: the state has not changed, and the metadata says what is new.
    case 'usage':
      return { kind: 'STATE_CHANGE', extra: { usage: event.usage } };
    case 'settings':
      return { kind: 'STATE_CHANGE', extra: { settings: { model: event.model, approvalMode: event.approvalMode } } };
    case 'log':
      return { kind: 'STATE_CHANGE', extra: { log: { level: event.level, text: event.text } } };
    default:
      return unreachable(event);
  }
}

function stateOf(event: SessionEvent): TurnState {
  if (event.type === 'turn') return event.state;
  if (event.type === 'prompt' && event.queued !== undefined) return 'submitted';
  return event.type === 'tool' && event.call.status === 'waiting' ? 'input-required' : 'working';
}

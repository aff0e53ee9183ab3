import { type Agent, cancelText, isTurnEnd, type SessionEvent, type TurnState } from '../../domain/events.js';
import { notSent } from '../shared/not-sent.js';
import { toMetadata } from '../endpoint/tool-call.js';
import { extensionUri } from './extension.js';
import { toRfcToolCall } from './tool-call.js';
import type { Wire } from '../shared/wire.js';
import { defined } from '../../util/defined.js';

/** A session event as an A2A `TaskStatusUpdateEvent` (v0.3 JSON) of the development-tool extension. Pure. */
export function toStatusUpdate(event: SessionEvent, agent: Agent): Wire {
  const content = contentOf(event);
  const { role = 'agent', text, data } = content;
  const part = text === undefined ? data && { kind: 'data', data } : { kind: 'text', text };
  const message = part && { kind: 'message', messageId: `${event.sessionId}-${event.seq}`, role, parts: [part] };
  return {
    kind: 'status-update',
    taskId: event.sessionId,
    contextId: event.sessionId,
    status: { state: stateOf(event), timestamp: event.at, ...(message ? { message } : {}) },
    final: event.type === 'turn' && isTurnEnd(event.state),
    metadata: {
      ...toEventMetadata(event, content, agent),
      ...defined({ turnId: event.turnId }),
    },
  };
}

/** The RFC's `DevelopmentToolEvent` under its URI, the form that upstream's clients read, and our own fields. */
export function toEventMetadata(
  event: SessionEvent,
  { kind, extra, error }: Content,
  { model, userTier }: Agent,
): Wire {
  const tier = userTier === undefined ? {} : { user_tier: userTier };
  return {
    [extensionUri]: { kind, model, ...tier, ...defined({ error }) },
    ...(kind === unspecified ? {} : { coderAgent: { kind: kind.toLowerCase().replaceAll('_', '-') } }),
    model,
    seq: event.seq,
    ...extra,
  };
}

/** An event in the RFC's terms: its kind, one part of text or data, and additional metadata. */
export type Content = { kind: string; role?: 'user'; text?: string; data?: Wire; extra?: Wire; error?: string };

/** The RFC's kind for everything else: the metadata says what is new. Strict readers of the enum accept it. */
const unspecified = 'DEVELOPMENT_TOOL_EVENT_KIND_UNSPECIFIED';

export function contentOf(event: SessionEvent): Content {
  switch (event.type) {
    case 'text':
    case 'reply':
      return { kind: 'TEXT_CONTENT', text: event.text };
    case 'prompt': {
      const queued = defined({ queued: event.queued });
      return { kind: 'TEXT_CONTENT', role: 'user', text: event.text, extra: { origin: event.origin, ...queued } };
    }
    case 'thought':
      return { kind: 'THOUGHT', data: { subject: event.subject, description: event.description } };
    case 'tool':
      return { kind: 'TOOL_CALL_UPDATE', data: toRfcToolCall(event.call), extra: toMetadata(event.call) };
    case 'turn':
      return { kind: 'STATE_CHANGE', ...defined({ error: event.error }) };
    case 'citation':
      return { kind: 'TEXT_CONTENT', text: event.text, extra: { citation: true } };
    case 'error':
      return { kind: unspecified, error: event.message };
    case 'usage':
      return { kind: unspecified, extra: { usage: event.usage } };
    case 'settings': {
      const { model, approvalMode, userTier } = event;
      return { kind: unspecified, extra: { settings: { model, approvalMode, userTier } } };
    }
    case 'log':
      return { kind: unspecified, extra: { log: { level: event.level, text: event.text } } };
    case 'cancel':
      return { kind: unspecified, extra: { log: { level: 'info', text: cancelText(event.by) } } };
    case 'artifact':
      return { kind: unspecified, extra: { artifact: event.artifact } };
    default:
      notSent('development-tool', event);
      return { kind: unspecified };
  }
}

function stateOf(event: SessionEvent): TurnState {
  if (event.type === 'turn') return event.state;
  if (event.type === 'prompt' && event.queued !== undefined) return 'submitted';
  return event.type === 'tool' && event.call.status === 'waiting' ? 'input-required' : 'working';
}

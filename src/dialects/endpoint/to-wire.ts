import { cancelText, isTurnEnd, type SessionEvent } from '../../domain/events.js';
import { unreachable } from '../../util/unreachable.js';
import type { Events } from './events.js';
import { toMetadata, toToolCall } from './tool-call.js';
import { defined } from '../../util/defined.js';

/** A session event in the flat form of the endpoint's user guide (seed 001). Pure. */
export function toEndpoint(event: SessionEvent): Events[keyof Events] {
  const stamp = { taskId: event.sessionId, seq: event.seq, at: event.at };
  const content: [Unmade] extends [never] ? Content<keyof Events> : Unmade = contentOf(event);
  // Assigned, not spread: this runs for every event, and V8 is slow at spreading into a larger object.
  return Object.assign(content, event.turnId === undefined ? stamp : { ...stamp, turnId: event.turnId });
}

/** Kinds that no session event produces. If there are any, `toEndpoint` does not compile and the error names them. */
type Unmade = Exclude<keyof Events, ReturnType<typeof contentOf>['kind']>;

/** An event before it is stamped. */
type Content<Kind extends keyof Events> = Unstamped<Events[Kind]>;
type Unstamped<Event> = Event extends unknown ? Omit<Event, 'taskId' | 'seq' | 'at' | 'turnId'> : never;

function contentOf(event: SessionEvent) {
  switch (event.type) {
    case 'text':
    case 'reply':
      return { kind: 'TEXT_CONTENT', content: { text: event.text } } satisfies Content<'TEXT_CONTENT'>;
    case 'thought': {
      const { subject, description } = event;
      return { kind: 'THOUGHT', content: { subject, description } } satisfies Content<'THOUGHT'>;
    }
    case 'tool': {
      const [call, metadata] = [toToolCall(event.call), toMetadata(event.call)];
      return { kind: 'TOOL_CALL_UPDATE', ...call, metadata } satisfies Content<'TOOL_CALL_UPDATE'>;
    }
    case 'turn': {
      const { state, error } = event;
      const final = isTurnEnd(state) ? ({ final: true } as const) : {};
      return { kind: 'STATE_CHANGE', state, ...final, ...(error ? { error } : {}) } satisfies Content<'STATE_CHANGE'>;
    }
    case 'prompt': {
      const { text, origin, messageId, queued } = event;
      const ids = { ...defined({ messageId, queued }) };
      return { kind: 'USER_MESSAGE', content: { text }, origin, ...ids } satisfies Content<'USER_MESSAGE'>;
    }
    case 'citation':
      return { kind: 'CITATION', content: { text: event.text } } satisfies Content<'CITATION'>;
    case 'usage':
      return { kind: 'USAGE', usage: event.usage } satisfies Content<'USAGE'>;
    case 'settings': {
      const { model, approvalMode, userTier } = event;
      const mode = defined({ approvalMode });
      return {
        kind: 'SETTINGS',
        model,
        ...mode,
        ...defined({ userTier }),
      } satisfies Content<'SETTINGS'>;
    }
    case 'log':
      return {
        kind: 'CONSOLE_LOG',
        level: event.level,
        content: { text: event.text },
      } satisfies Content<'CONSOLE_LOG'>;
    case 'cancel':
      return {
        kind: 'CONSOLE_LOG',
        level: 'info',
        content: { text: cancelText(event.by) },
      } satisfies Content<'CONSOLE_LOG'>;
    case 'error':
      return { kind: 'ERROR', message: event.message } satisfies Content<'ERROR'>;
    case 'artifact':
      return {
        kind: 'ARTIFACT',
        artifact: event.artifact,
        append: event.append ?? false,
        lastChunk: event.lastChunk ?? true,
      } satisfies Content<'ARTIFACT'>;
    default:
      return unreachable(event);
  }
}

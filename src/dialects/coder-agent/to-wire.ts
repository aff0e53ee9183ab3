import type { SessionEvent, TurnState } from '../../domain/events.js';
import { notSent } from '../shared/not-sent.js';
import { thoughtText } from '../shared/tool-text.js';
import type { Topic } from '../shared/only-news.js';
import type { CoderAgentEvent } from './event-schemas.js';
import { toToolCallConfirmation, toToolCallUpdate } from './tool-call.js';
import { defined } from '../../util/defined.js';

export type CoderAgentContext = {
  readonly workspacePath: string;
  /** The stream ends with this event. */
  readonly isLast: boolean;
};

/** A session event as events of the server protocol (seed 002); empty if it has none for it. Pure. */
export function toCoderAgent(event: SessionEvent, context: CoderAgentContext): readonly CoderAgentEvent[] {
  const ids = { taskId: event.sessionId, contextId: event.sessionId };
  return contentOf(event, context).map((content) => ({ ...content, ...ids }));
}

/** A state or a call's status is sent only when it changes, failures always. */
export function coderAgentTopicOf(event: CoderAgentEvent): Topic | undefined {
  if (event.kind === 'tool-call-update') return { about: event.toolCallId, says: event.status };
  return event.kind === 'state-change' && event.error === undefined ? { about: 'state', says: event.state } : undefined;
}

type Content = CoderAgentEvent extends infer Event
  ? Event extends CoderAgentEvent
    ? Omit<Event, 'taskId' | 'contextId'>
    : never
  : never;

function contentOf(event: SessionEvent, { workspacePath, isLast }: CoderAgentContext): readonly Content[] {
  switch (event.type) {
    case 'text':
    case 'reply':
      return [{ kind: 'text-content', text: event.text }];
    case 'thought': {
      const { subject, description } = event;
      return [{ kind: 'thought', text: thoughtText(event), subject, description }];
    }
    case 'tool':
      return event.call.status === 'waiting'
        ? [toToolCallUpdate(event.call), toToolCallConfirmation(event.call)]
        : [toToolCallUpdate(event.call)];
    case 'turn': {
      const final = isLast ? ({ final: true } as const) : {};
      const error = defined({ error: event.error });
      return [{ kind: 'state-change', state: stateOf(event.state), ...final, ...error }];
    }
    case 'error':
      return [{ kind: 'state-change', state: 'working', error: event.message }];
    case 'citation':
      return [{ kind: 'citation', text: event.text }];
    case 'settings': {
      const { model, approvalMode } = event;
      return [{ kind: 'agent-settings', workspacePath, autoExecute: approvalMode === 'yolo', model }];
    }
    case 'prompt':
      return event.queued === undefined ? [] : [{ kind: 'state-change', state: 'submitted' }];
    default:
      return notSent('coder-agent', event);
  }
}

/** Seed 002 has no `rejected` state. */
function stateOf(state: TurnState): Exclude<TurnState, 'rejected'> {
  return state === 'rejected' ? 'failed' : state;
}

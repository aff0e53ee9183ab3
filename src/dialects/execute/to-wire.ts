import { isTurnEnd, type SessionEvent, type TurnState } from '../../domain/events.js';
import type { ToolCall } from '../../domain/tool-call.js';
import { notSent } from '../shared/not-sent.js';
import { toConfirmationRequest } from '../coder-agent/tool-call.js';
import type { Topic } from '../shared/only-news.js';
import { outputText } from '../shared/tool-text.js';
import type { ExecuteEvent } from './event-schemas.js';

/** A session event as events of the server reference (seed 003); empty if it has none for it. Pure. */
export function toExecute(event: SessionEvent): readonly ExecuteEvent[] {
  switch (event.type) {
    case 'text':
    case 'reply':
      return [{ type: 'text_content', text: event.text }];
    case 'thought': {
      const { subject, description } = event;
      return [
        ...(description === '' ? [] : [{ type: 'thought', thought: description } as const]),
        ...(subject === '' ? [] : [{ type: 'thought_summary', summary: subject } as const]),
      ];
    }
    case 'tool':
      return [toToolCallUpdate(event.call)];
    case 'turn': {
      const error = event.error ?? (event.state === 'canceled' ? 'canceled' : undefined);
      return [{ type: 'state_change', state: toState(event.state), timestamp: event.at, error }];
    }
    case 'error':
      return [{ type: 'state_change', state: 'running', timestamp: event.at, error: event.message }];
    default:
      return notSent('execute', event);
  }
}

/** A state or a call's status is sent only when it changes, failures and questions always. */
export function executeTopicOf(event: ExecuteEvent): Topic | undefined {
  if (event.type === 'state_change' && event.error === undefined) return { about: 'state', says: event.state };
  if (event.type !== 'tool_call_update' || event.confirmationRequest !== undefined) return undefined;
  return { about: event.toolCallId, says: event.status };
}

/** The seed has three states: a task that waits for an answer is running. */
function toState(state: TurnState): 'running' | 'completed' | 'error' {
  if (!isTurnEnd(state)) return 'running';
  return state === 'completed' ? 'completed' : 'error';
}

const statuses = {
  pending: 'requested',
  waiting: 'requested',
  executing: 'executing',
  succeeded: 'completed',
  failed: 'error',
  cancelled: 'error',
} as const satisfies Record<ToolCall['status'], string>;

function toToolCallUpdate(call: ToolCall): ExecuteEvent {
  return {
    type: 'tool_call_update',
    toolCallId: call.id,
    status: statuses[call.status],
    toolName: call.name,
    ...(call.status === 'waiting' ? { confirmationRequest: toConfirmationRequest(call.approval.details) } : {}),
    ...(call.status === 'succeeded' ? { result: outputText(call.output) } : {}),
    ...(call.status === 'failed' ? { error: call.error.message } : {}),
    ...(call.status === 'cancelled' ? { error: call.reason ?? 'cancelled' } : {}),
  };
}

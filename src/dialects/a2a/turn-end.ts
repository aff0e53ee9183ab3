import { type StreamResponse, TaskState } from '@a2a-js/sdk';
import type { SessionEvent, WhenDone } from '../../domain/events.js';

/** Applies the rule of `shownState` to the stream events of a turn. */
export function shownEnd(
  event: SessionEvent,
  turnEnd: WhenDone,
  responses: readonly StreamResponse[],
): readonly StreamResponse[] {
  const isSame = event.type !== 'turn' || event.state !== 'completed' || turnEnd === 'completed';
  return isSame ? responses : responses.map(asPause);
}

function asPause(response: StreamResponse): StreamResponse {
  if (response.payload?.$case !== 'statusUpdate') return response;
  const { value } = response.payload;
  const status = value.status && { ...value.status, state: TaskState.TASK_STATE_INPUT_REQUIRED };
  return { payload: { $case: 'statusUpdate', value: { ...value, status } } };
}

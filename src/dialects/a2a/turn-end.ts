import { type StreamResponse, TaskState } from '@a2a-js/sdk';
import type { SessionEvent, WhenDone } from '../../domain/events.js';

/** What `toldState` says of a turn, for the events that tell of it. */
export function toldEnd(
  event: SessionEvent,
  turnEnd: WhenDone,
  told: readonly StreamResponse[],
): readonly StreamResponse[] {
  const isSame = event.type !== 'turn' || event.state !== 'completed' || turnEnd === 'completed';
  return isSame ? told : told.map(asPause);
}

function asPause(response: StreamResponse): StreamResponse {
  if (response.payload?.$case !== 'statusUpdate') return response;
  const { value } = response.payload;
  const status = value.status && { ...value.status, state: TaskState.TASK_STATE_INPUT_REQUIRED };
  return { payload: { $case: 'statusUpdate', value: { ...value, status } } };
}

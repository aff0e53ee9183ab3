import { type StreamResponse, TaskState } from '@a2a-js/sdk';
import type { SessionEvent, TurnState, WhenDone } from '../../domain/events.js';

/** The state of a turn as A2A clients are told it: done may mean that it waits for the next message. */
export function toldState(state: TurnState, turnEnd: WhenDone): TurnState {
  return state === 'completed' ? turnEnd : state;
}

/** The same for the events that tell of it. */
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

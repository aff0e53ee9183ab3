import { TaskState } from '@a2a-js/sdk';
import { isTurnEnd, type TurnState, turnStates } from '../../domain/events.js';

const states: Readonly<Record<TurnState, TaskState>> = {
  submitted: TaskState.TASK_STATE_SUBMITTED,
  working: TaskState.TASK_STATE_WORKING,
  'input-required': TaskState.TASK_STATE_INPUT_REQUIRED,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  canceled: TaskState.TASK_STATE_CANCELED,
  rejected: TaskState.TASK_STATE_REJECTED,
};

export function toTaskState(state: TurnState): TaskState {
  return states[state];
}

/** Empty for a state that turns never have. */
export function toTurnStates(state: TaskState): readonly TurnState[] {
  return turnStates.filter((known) => states[known] === state);
}

/** Nothing more happens until somebody acts: the turn is over, or it waits for an answer. */
export function isSettled(state: TurnState): boolean {
  return isTurnEnd(state) || state === 'input-required';
}

import type { TaskRow } from '../../client/client.js';
import { stepsOf } from '../question/steps.js';

export type ListedQuestion = TaskRow['pending'][number];

/** A longer command deserves the whole screen. */
const mostSteps = 4;

/** Whether the list has room for everything that the decision depends on. */
export function isSmall({ command }: ListedQuestion): boolean {
  return command !== undefined && stepsOf(command).length <= mostSteps;
}

/** The narrowest yes, and no. */
export const allowOnce = 'proceed_once';
export const deny = 'cancel';

export function offers({ options }: ListedQuestion, id: string): boolean {
  return options.some((option) => option.id === id);
}

import type { TurnEnd } from '../domain/events.js';

/** How a turn ended. */
export type TurnResult = {
  readonly state: TurnEnd;
  /** Everything the agent said in it. */
  readonly text: string;
  /** Why it failed. */
  readonly error?: string;
};

import type { TurnEnd } from '../domain/events.js';

/** How a turn ended. */
export type TurnResult = {
  readonly state: TurnEnd;
  /** The complete text of the agent's reply. */
  readonly text: string;
  /** Why it failed. */
  readonly error?: string;
};

import type { TurnState } from '../domain/events.js';
import type { WaitingCall } from '../domain/tool-call.js';

/** All a late joiner needs to take part: the state and every question that is open. */
export type Snapshot = {
  readonly state: TurnState;
  readonly pending: readonly WaitingCall[];
  readonly model: string;
  readonly seq: number;
};

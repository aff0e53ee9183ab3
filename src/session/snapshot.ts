import type { TurnState } from '../domain/events.js';
import type { WaitingCall } from '../domain/tool-call.js';

/** Everything a late joiner needs: the state and every open question. */
export type Snapshot = {
  readonly state: TurnState;
  readonly pending: readonly WaitingCall[];
  readonly model: string;
  readonly seq: number;
};

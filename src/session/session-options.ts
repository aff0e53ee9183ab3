import type { AppError } from '../domain/errors.js';
import type { Origin, WhenDone } from '../domain/events.js';
import type { WaitingCall } from '../domain/tool-call.js';
import type { Engine } from '../engine/engine.js';
import type { EventStore } from '../stores/store.js';
import type { Earlier } from './load-events.js';

export type SessionOptions = {
  readonly id: string;
  readonly engine: Engine;
  readonly store: EventStore;
  /** Who acts when the engine itself does: the terminal in live mode. */
  readonly engineOrigin?: Origin;
  /** Absent or empty: the engine's own. */
  readonly model?: string;
  /** The principal whose task it is. */
  readonly owner?: string;
  readonly turnEnd?: WhenDone;
  readonly maxQueued?: number;
  readonly newTurnId?: () => string;
  /** The session goes on where it ended. */
  readonly earlier?: Earlier;
  /** Why the turn that ran then has failed; without it the engine may go on with the turn. */
  readonly interruption?: string;
  /** Numbers up to this one may have been given in lives of which nothing is left. */
  readonly startAfter?: number;
  /** Nothing that matters is told before the store has it. */
  readonly isDurable?: boolean;
  /** The store has refused an event: the session cannot go on here. */
  readonly onLoss?: (why: AppError) => void;
  /** Who lets a call run without asking anybody; undefined when it has to ask. */
  readonly allowedBy?: (call: WaitingCall) => Origin | undefined;
  readonly now?: () => Date;
  readonly onError?: (error: unknown) => void;
};

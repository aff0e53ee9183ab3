import type { AppError } from '../domain/errors.js';
import type { Origin, ShownEnd } from '../domain/events.js';
import type { WaitingCall } from '../domain/tool-call.js';
import type { Engine } from '../engine/engine.js';
import type { EventStore } from '../stores/store.js';
import type { Earlier } from './load-events.js';
import type { SessionPort } from './session-port.js';

export type SessionOptions = {
  readonly id: string;
  readonly engine: Engine;
  readonly store: EventStore;
  /** The origin of the engine's own actions: the terminal in live mode. */
  readonly engineOrigin?: Origin;
  /** The folder that the agent works in. */
  readonly workspace?: string;
  /** Absent or empty: the engine's default. */
  readonly model?: string;
  /** The principal that created the task. */
  readonly owner?: string;
  /** When the task was created, which distinguishes it from a deleted one with the same id. */
  readonly createdAt?: string;
  /** By default `completed`. A session that continues an earlier run has what its recall was made with. */
  readonly turnEnd?: ShownEnd;
  readonly maxQueued?: number;
  readonly newTurnId?: () => string;
  /** The earlier run that this session continues. */
  readonly earlier?: Earlier;
  /** Why the turn that was running then has failed; if absent, the engine may continue it. */
  readonly interruption?: string;
  /** Earlier runs that left nothing behind may have used seqs up to this one. */
  readonly startAfter?: number;
  /** Nothing that matters is sent before the store has it. */
  readonly isDurable?: boolean;
  /** The store has refused an event: the session cannot continue here. */
  readonly onLoss?: (why: AppError) => void;
  /** Rejects if another server has taken the session over. */
  readonly checkHeld?: () => Promise<void>;
  /** The session where it runs now, after another server has taken it over. Absent if that cannot be reached from here. */
  readonly elsewhere?: () => Promise<SessionPort | undefined>;
  /** Who allows a call without asking anyone; undefined if it must ask. */
  readonly allowedBy?: (call: WaitingCall) => Origin | undefined;
  /** Throws if this client may start no more turns. */
  readonly mayPrompt?: (origin: Origin) => void;
  readonly now?: () => Date;
  readonly onError?: (error: unknown) => void;
};

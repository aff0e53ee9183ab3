import type { AppError } from '../domain/errors.js';
import type { WhenDone } from '../domain/events.js';
import type { Store } from '../stores/store.js';
import type { ApprovalPolicy } from './approval-policy.js';
import type { Claims } from './claims.js';
import type { Engines } from '../engine/task-engine.js';

export type RegistryOptions = {
  readonly store: Store;
  /** Which of the store's tasks are this server's. */
  readonly claims: Claims;
  readonly engines: Engines;
  readonly policy: ApprovalPolicy;
  /** Whether a client may ask that tools run without being asked about. */
  readonly mayAutoExecute: boolean;
  /** Sessions in memory; above it the idle one that was used least recently is put away. */
  readonly maxLoaded: number;
  /** A session that nobody used or watched for so long is put away. */
  readonly idleMs: number;
  /** A task that nobody used for so long is deleted. Undefined: never. */
  readonly ttlMs?: number | undefined;
  readonly maxQueued: number;
  readonly turnEnd?: WhenDone;
  /** How many turns run and wait, in all sessions. */
  readonly load: () => { readonly running: number; readonly queued: number; readonly isFull: boolean };
  /** A task is deleted for good. */
  readonly onRemoved?: (id: string) => void;
  /** A task cannot go on here: another server has taken it over, or the store has refused what happened. */
  readonly onLost: (taskId: string, why: AppError) => void;
  readonly onError: (error: unknown) => void;
};

import type { AppError } from '../domain/errors.js';
import type { Origin, ShownEnd } from '../domain/events.js';
import type { SessionPort } from '../session/session-port.js';
import type { Store } from '../stores/store.js';
import type { ApprovalPolicy } from './approval-policy.js';
import type { Claims } from './claims.js';
import type { PinnedRoot } from './pinned-roots.js';
import type { Engines } from '../engine/task-engine.js';

export type RegistryOptions = {
  readonly store: Store;
  /** Which of the store's tasks belong to this server. */
  readonly claims: Claims;
  readonly engines: Engines;
  readonly policy: ApprovalPolicy;
  /** Folders that not every server has. */
  readonly pinnedRoots?: readonly PinnedRoot[];
  /** Whether clients may request that tools run without approval. */
  readonly mayAutoExecute: boolean;
  /** How many sessions may be in memory; above it, the least recently used idle session is unloaded. */
  readonly maxLoaded: number;
  /** A session that nobody uses or watches for this long is unloaded. */
  readonly idleMs: number;
  /** A task that nobody uses for this long is deleted; by default never. */
  readonly ttlMs?: number | undefined;
  /** Throws if this client may start no more turns. */
  readonly mayPrompt?: (origin: Origin) => void;
  readonly maxQueued: number;
  readonly turnEnd?: ShownEnd;
  /** How many turns run and wait, across all sessions. */
  readonly load: () => { readonly running: number; readonly queued: number; readonly isFull: boolean };
  /** The tasks are unloaded; the store closes next. */
  readonly onClosing?: () => Promise<void>;
  /** A task was permanently deleted. */
  readonly onRemoved?: (id: string) => void;
  /** A task was deleted because nobody used it for `ttlMs`. */
  readonly onExpired?: (id: string) => void;
  /** The session of a task where it runs now, if other servers can be asked. */
  readonly elsewhere?: (taskId: string) => Promise<SessionPort | undefined>;
  /** A task cannot continue here: another server has taken it over, or the store has refused its events. */
  readonly onLost: (taskId: string, why: AppError) => void;
  readonly onError: (error: unknown) => void;
};

import { isElsewhere } from '../domain/errors.js';
import { randomUUID } from 'node:crypto';
import type { AppError } from '../domain/errors.js';
import { isTurnEnd } from '../domain/events.js';
import type { StoredTask } from '../stores/store.js';
import type { Json } from '../domain/json.js';
import { allowedBy, denyLate } from './approval-policy.js';
import { stamped } from './checkpoints.js';
import type { Earlier } from '../session/load-events.js';
import { RecordKeeper } from './record-keeper.js';
import type { RegistryOptions } from './registry-options.js';
import { Session } from '../session/session.js';
import { SummaryKeeper } from '../session/summary-keeper.js';
import type { TaskEngine } from '../engine/task-engine.js';
import { defined } from '../util/defined.js';

/** A task in memory: its session and everything that serves it. */
export type LoadedTask = {
  readonly session: Session;
  readonly engine: TaskEngine;
  readonly keeper: RecordKeeper;
  readonly summaries: SummaryKeeper;
  readonly stopPolicy: () => void;
  /** Resolves once the store has the task's first record. */
  readonly created: Promise<void>;
  /** The epoch of our claim. */
  readonly epoch: number;
  usedAt: number;
};

/** What an earlier session of the task left. */
export type Life = {
  readonly epoch: number;
  /** Resolves once the store has a new task's record. */
  readonly created?: Promise<void>;
  readonly earlier?: Earlier;
  readonly checkpoint?: Json;
  /** Why a turn that was working has failed, if it has: its output is lost. */
  readonly interruption?: string;
};

export type TaskHooks = {
  /** The session cannot continue here. */
  readonly onLoss: (why: AppError) => void;
  readonly onSaved: (record: StoredTask) => void;
};

export function startTask(
  record: StoredTask,
  life: Life,
  options: RegistryOptions,
  { onLoss, onSaved }: TaskHooks,
): LoadedTask {
  const { store, claims, engines, policy, maxQueued, turnEnd, mayPrompt, elsewhere, onError } = options;
  const { id, workspace, model, owner, createdAt, metadata } = record;
  const keptUntil = life.earlier?.recall.state.seq ?? 0;
  const engine = engines.open({
    id,
    workspace,
    model,
    autoExecute: metadata['autoExecute'] === true,
    owner: owner ?? '',
    ...defined({ checkpoint: life.checkpoint }),
    save: (checkpoint) => store.saveCheckpoint(id, stamped(checkpoint, session.lastSeq)),
  });
  const session: Session = new Session({
    id,
    engine,
    store,
    workspace,
    model,
    ...defined({ owner }),
    createdAt,
    maxQueued,
    ...defined({ turnEnd, mayPrompt }),
    isDurable: true,
    allowedBy: (call) => allowedBy(policy, call),
    checkHeld: async () => {
      if (!(await claims.holds(id, life.epoch))) throw claims.elsewhere(id);
    },
    ...(elsewhere && { elsewhere: () => elsewhere(id) }),
    ...defined({ earlier: life.earlier, interruption: life.interruption }),
    newTurnId: () => `${id}.${randomUUID()}`,
    onError,
    onLoss,
  });
  // If another server has taken the task over, the session learns that from its own log.
  const kept = { store, session, onError: (error: unknown) => isElsewhere(error) || onError(error) };
  const keeper = new RecordKeeper({ ...kept, record, keptUntil, onSaved });
  const summaries = new SummaryKeeper(kept);
  const stopPolicy = denyLate(session, policy);
  const { epoch, created = Promise.resolve() } = life;
  return { session, engine, keeper, summaries, stopPolicy, created, epoch, usedAt: Date.now() };
}

/** Resolves once the store has everything. Clients that still follow get `why`. */
export async function stopTask(
  { session, engine, keeper, summaries, stopPolicy }: LoadedTask,
  why?: AppError,
): Promise<void> {
  stopPolicy();
  // A loss was already reported when it happened.
  await session.suspend(why).catch(() => undefined);
  await engine.dispose();
  await keeper.stop();
  await summaries.stop();
}

/** Whether nobody needs it in memory. */
export function isUnused({ session: { state, queued, isWatched } }: LoadedTask): boolean {
  return (isTurnEnd(state) || state === 'submitted') && queued === 0 && !isWatched;
}

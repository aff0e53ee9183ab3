import type { CompletedToolCall, HistoryTurn } from '@google/gemini-cli-core';
import type { CoreToolRequest } from '../gemini/core-types.js';
import type { Budget } from './budget.js';
import { type Batch, type Checkpoint, toBatch, withDone } from './checkpoint.js';
import type { OpenedCore } from './headless-options.js';
import type { ReplyEnd } from './read-reply.js';
import { sameEntries } from './same-entries.js';
import { defined } from '../../util/defined.js';

export type CheckpointKeeperOptions = {
  readonly budget: Budget;
  readonly save: (checkpoint: Checkpoint) => Promise<void>;
  readonly onError: (error: unknown) => void;
};

/**
 * Saves a checkpoint at every point from which another process could continue. Nobody waits for it: the store applies the
 * changes of a task in order, so it has the checkpoint before any event that is reported after it.
 */
export class CheckpointKeeper {
  readonly #options: CheckpointKeeperOptions;
  #turnId: string | undefined;
  #batch: Batch | undefined;
  #saving: Promise<void> = Promise.resolve();
  /** The history that the last save had, as a whole. Undefined if there is none, or it was lost. */
  #saved: readonly HistoryTurn[] | undefined;
  #isStopped = false;

  constructor(options: CheckpointKeeperOptions) {
    this.#options = options;
  }

  /** `batch`: the batch in which the turn was interrupted. */
  beginTurn(turnId: string, batch?: Batch): void {
    this.#turnId = turnId;
    this.#batch = batch;
  }

  get isInBatch(): boolean {
    return this.#batch !== undefined;
  }

  beginBatch(opened: OpenedCore, promptId: string, calls: readonly CoreToolRequest[]): void {
    // After a restart the batch already exists, with what is known about its other calls.
    if (this.#batch?.promptId !== promptId || this.#isNew(calls)) this.#batch = toBatch(promptId, calls);
    void this.save(opened);
  }

  callDone(opened: OpenedCore, call: CompletedToolCall): void {
    if (!this.#batch || call.request.parentCallId !== undefined) return;
    this.#batch = withDone(this.#batch, [call]);
    void this.save(opened);
  }

  /** Saves how the turn ended, in case of a crash before the end is published. */
  endTurn(opened: OpenedCore, end: ReplyEnd): void {
    this.#batch = undefined;
    void this.save(opened, end);
  }

  /** The turn ended without a known result. */
  giveUpTurn(): void {
    this.#batch = undefined;
  }

  save({ config }: OpenedCore, end?: ReplyEnd): Promise<void> {
    const { save, budget, onError } = this.#options;
    if (this.#isStopped) return this.#saving;
    const history = config.geminiClient.getChat().getHistoryTurns();
    const kept = this.#saved && sameEntries(this.#saved, history);
    this.#saved = history;
    const checkpoint: Checkpoint = {
      version: 1,
      model: config.getModel(),
      approvalMode: config.getApprovalMode(),
      history: history.slice(kept),
      used: budget.used,
      ...defined({ kept, turnId: this.#turnId }),
      ...(this.#batch ? { batch: this.#batch } : {}),
      ...(end ? { end } : {}),
    };
    const saved = (async () => save(checkpoint))().catch((error: unknown) => {
      this.#saved = undefined;
      onError(error);
    });
    const before = this.#saving;
    this.#saving = saved.then(() => before);
    return this.#saving;
  }

  /** Stops saving. Whatever is aborted from now on is not over: another engine continues from the last checkpoint. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Resolves once everything is saved. */
  saved(): Promise<void> {
    return this.#saving;
  }

  #isNew(calls: readonly CoreToolRequest[]): boolean {
    return calls.some(({ callId }) => !this.#batch?.calls.some((known) => known.callId === callId));
  }
}

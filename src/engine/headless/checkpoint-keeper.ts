import type { CompletedToolCall } from '@google/gemini-cli-core';
import type { CoreToolRequest } from '../gemini/core-types.js';
import type { Budget } from './budget.js';
import { type Batch, type Checkpoint, toBatch, withDone } from './checkpoint.js';
import type { OpenedCore } from './headless-options.js';
import type { ReplyEnd } from './read-reply.js';
import { defined } from '../../util/defined.js';

export type CheckpointKeeperOptions = {
  readonly budget: Budget;
  readonly save: (checkpoint: Checkpoint) => Promise<void>;
  readonly onError: (error: unknown) => void;
};

/** Stores, at every point from which another process could go on, what it needs for it. */
export class CheckpointKeeper {
  readonly #options: CheckpointKeeperOptions;
  #turnId: string | undefined;
  #batch: Batch | undefined;
  #saving: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: CheckpointKeeperOptions) {
    this.#options = options;
  }

  /** `batch`: the turn was interrupted in it. */
  beginTurn(turnId: string, batch?: Batch): void {
    this.#turnId = turnId;
    this.#batch = batch;
  }

  get isInBatch(): boolean {
    return this.#batch !== undefined;
  }

  beginBatch(opened: OpenedCore, promptId: string, calls: readonly CoreToolRequest[]): Promise<void> {
    // After a restart the batch is there already, with what is known of its other calls.
    if (this.#batch?.promptId !== promptId || this.#isNew(calls)) this.#batch = toBatch(promptId, calls);
    return this.save(opened);
  }

  callDone(opened: OpenedCore, call: CompletedToolCall): void {
    if (!this.#batch || call.request.parentCallId !== undefined) return;
    this.#batch = withDone(this.#batch, [call]);
    void this.save(opened);
  }

  /** A crash before everybody is told finds here how the turn ended. */
  endTurn(opened: OpenedCore, end: ReplyEnd): Promise<void> {
    this.#batch = undefined;
    return this.save(opened, end);
  }

  /** It ended in a way that nothing is known of. */
  giveUpTurn(): void {
    this.#batch = undefined;
  }

  save({ config }: OpenedCore, end?: ReplyEnd): Promise<void> {
    const { save, budget, onError } = this.#options;
    if (this.#isStopped) return this.#saving;
    const checkpoint: Checkpoint = {
      version: 1,
      model: config.getModel(),
      approvalMode: config.getApprovalMode(),
      history: [...config.geminiClient.getChat().getHistoryTurns()],
      used: budget.used,
      ...defined({ turnId: this.#turnId }),
      ...(this.#batch ? { batch: this.#batch } : {}),
      ...(end ? { end } : {}),
    };
    this.#saving = this.#saving.then(() => save(checkpoint)).catch(onError);
    return this.#saving;
  }

  /** What is stopped from now on is not over: another engine goes on with the last checkpoint. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Resolves when everything is saved. */
  saved(): Promise<void> {
    return this.#saving;
  }

  #isNew(calls: readonly CoreToolRequest[]): boolean {
    return calls.some(({ callId }) => !this.#batch?.calls.some((known) => known.callId === callId));
  }
}

import { setImmediate as endOfTick, setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../domain/errors.js';
import { type Disk, DiskWaits } from './disk-waits.js';
import { storeFailure } from './store-failure.js';
import { isGuarded, writeWeight, type Write } from './write.js';

/**
 * Makes the writes durable, all of them or none; with a `Disk`, only visible. Returns for each whether it was applied: false for an event whose `seq` is
 * taken and for the events after it, for a write whose epoch does not hold the task, and for the deletion of something that
 * does not exist.
 */
export type Commit = (batch: readonly Write[]) => Promise<readonly Found[]>;

/** Whether a write was applied; for a successful claim, its epoch. */
export type Found = boolean | number;

type Waiting = {
  readonly write: Write;
  readonly resolve: (found: Found) => void;
  readonly reject: (error: unknown) => void;
};

/** Small enough that handing over a batch does not block the event loop. */
const batchWrites = 1000;
const batchBytes = 1024 * 1024;
/** The limit for writes waiting on a store slower than its sessions; beyond it, writes are refused. */
const waitingBytes = 64 * 1024 * 1024;

/**
 * Writes in the order of the requests, many at a time. All writes of one tick share a batch, and those that arrive during a
 * commit form the next one. A burst of events therefore waits for the disk only a few times.
 */
export class WriteQueue {
  readonly #commit: Commit;
  readonly #lingerMs: number;
  readonly #waits: DiskWaits | undefined;
  /**
   * The first lost event of each task, 0 for its first record. Its log ends there, and nothing later about the task is
   * stored: a log with a gap or without a record, or a record or checkpoint that is ahead of the log, would be wrong.
   */
  readonly #lost = new Map<string, number>();
  /** The tasks whose last checkpoint of this server is stored or on its way. Only such a checkpoint can be continued. */
  readonly #continuable = new Set<string>();
  #waiting: Waiting[] = [];
  #bytes = 0;
  #working: Promise<void> | undefined;

  /**
   * `lingerMs`: how long a batch stays open for more writes; by default until the end of the tick. `disk`: what must happen
   * after a commit before its writes are acknowledged; by default nothing.
   */
  constructor(commit: Commit, { lingerMs = 0, disk }: { lingerMs?: number; disk?: Disk } = {}) {
    this.#commit = commit;
    this.#lingerMs = lingerMs;
    this.#waits = disk && new DiskWaits(disk);
  }

  push(write: Write): Promise<Found> {
    return new Promise((resolve, reject) => {
      const weight = writeWeight(write);
      if (this.#bytes > 0 && this.#bytes + weight > waitingBytes) {
        const why = 'the store is too slow: too many writes are waiting';
        this.#refuse({ write, resolve, reject }, new AppError('store-unavailable', why));
        return;
      }
      this.#bytes += weight;
      const done = (): void => void (this.#bytes -= weight);
      this.#waiting.push({
        write,
        resolve: (found) => (done(), resolve(found)),
        reject: (error) => (done(), reject(error)),
      });
      this.#working ??= this.#work();
    });
  }

  /** Whether an event of this task may bypass the queue because nothing is ahead of it. */
  isFreeFor(taskId: string): boolean {
    return this.#working === undefined && !this.#lost.has(taskId) && !this.#waits?.isWaiting(taskId);
  }

  /** Resolves once the queue is empty and everything is acknowledged. */
  async drained(): Promise<void> {
    await this.#working;
    await this.#waits?.over();
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Yields before every batch: a store whose thread keeps up with us would otherwise block the event loop until all
      // are written.
      await endOfTick();
      if (this.#lingerMs > 0) await sleep(this.#lingerMs);
      const batch = this.#nextBatch();
      if (batch.length === 0) continue;
      try {
        const writes = batch.map(({ write }) => write);
        const found = await this.#commit(writes);
        const waits = this.#waits?.after(writes);
        for (const [index, waiting] of batch.entries()) {
          const settle = (): void => this.#settle(waiting, found[index] ?? false);
          const wait = waits?.[index];
          if (!wait) settle();
          else wait.then(settle, (error: unknown) => this.#refuse(waiting, storeFailure(error)));
        }
      } catch (error) {
        const failure = storeFailure(error);
        for (const waiting of batch) this.#refuse(waiting, failure);
      }
    }
    this.#working = undefined;
  }

  #nextBatch(): Waiting[] {
    let count = 0;
    let bytes = 0;
    const batch: Waiting[] = [];
    for (const waiting of this.#waiting) {
      const weight = writeWeight(waiting.write);
      if (count === batchWrites || (count > 0 && bytes + weight > batchBytes)) break;
      count++;
      bytes += weight;
      const loss = this.#lossBefore(waiting.write);
      if (loss !== undefined) this.#refuse(waiting, new AppError('store-unavailable', loss));
      else {
        this.#noteCheckpoint(waiting.write);
        batch.push(waiting);
      }
    }
    this.#waiting.splice(0, count);
    return batch;
  }

  /** Why this write would be wrong: something that it depends on was lost. */
  #lossBefore(write: Write): string | undefined {
    if (!tellsOfTask(write)) return undefined;
    const { taskId } = write;
    const lost = this.#lost.get(taskId);
    if (lost !== undefined && (write.type !== 'event' || write.seq > lost))
      return lost === 0 ? 'the record of this task was lost' : 'an earlier event of this task was lost';
    const isCut = write.type === 'checkpoint' && write.continues && !this.#continuable.has(taskId);
    return isCut ? 'an earlier checkpoint of this task was lost' : undefined;
  }

  #noteCheckpoint(write: Write): void {
    if (write.type === 'checkpoint') this.#continuable.add(write.taskId);
    if (write.type === 'claim' || write.type === 'release' || write.type === 'delete')
      this.#continuable.delete(write.taskId);
  }

  #settle(waiting: Waiting, found: Found): void {
    const { write, resolve } = waiting;
    if (found === false && tellsOfTask(write)) {
      this.#refuse(waiting, new AppError('task-elsewhere', 'another server has taken over this task; try again'));
      return;
    }
    // A server that claims a task reads it again and continues where its log ends.
    if (write.type === 'delete' || (write.type === 'claim' && found !== false)) this.#lost.delete(write.taskId);
    resolve(found);
  }

  #refuse({ write, reject }: Waiting, error: AppError): void {
    if (write.type === 'event') this.#noteLoss(write.taskId, write.seq);
    if (write.type === 'task' && write.isFirst) this.#noteLoss(write.taskId, 0);
    if (write.type === 'checkpoint') this.#continuable.delete(write.taskId);
    reject(error);
  }

  #noteLoss(taskId: string, seq: number): void {
    this.#lost.set(taskId, Math.min(seq, this.#lost.get(taskId) ?? seq));
  }
}

/** Writes that only the server that holds the task may make, and that must not be ahead of the log. */
function tellsOfTask(write: Write): write is Write & { readonly taskId: string } {
  return isGuarded(write) && write.type !== 'delete' && write.type !== 'release';
}

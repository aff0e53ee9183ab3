import { setImmediate as endOfTick, setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../domain/errors.js';
import { guardedTask, type Write } from './write.js';

/**
 * Makes the writes lasting, all of them or none. Answers for each whether it found its place: false for an event whose
 * `seq` is taken and for those after it, for what belongs to another server, and for the deletion of what is not there.
 */
export type Commit = (batch: readonly Write[]) => Promise<readonly boolean[]>;

type Waiting = {
  readonly write: Write;
  readonly resolve: (foundItsPlace: boolean) => void;
  readonly reject: (error: unknown) => void;
};

/** Small enough that handing a batch over does not hold up the event loop. */
const batchWrites = 1000;
const batchBytes = 1024 * 1024;
/** What may wait for a store that is slower than its sessions; beyond it writes are refused. */
const waitingBytes = 64 * 1024 * 1024;

/**
 * Writes in the order they were asked for, many at a time: all of one tick share a batch, and what is asked for while a
 * batch is being committed makes up the next one. A burst of events so costs few waits for the disk.
 */
export class WriteQueue {
  readonly #commit: Commit;
  readonly #lingerMs: number;
  /** The first lost event of a session. Its log ends there: a log with a hole would tell clients a wrong story. */
  readonly #lost = new Map<string, number>();
  #waiting: Waiting[] = [];
  #bytes = 0;
  #working: Promise<void> | undefined;

  /** `lingerMs`: how long a batch is held open for more. Without it, to the end of the tick. */
  constructor(commit: Commit, { lingerMs = 0 }: { lingerMs?: number } = {}) {
    this.#commit = commit;
    this.#lingerMs = lingerMs;
  }

  push(write: Write): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const weight = weightOf(write);
      if (this.#bytes > 0 && this.#bytes + weight > waitingBytes) {
        this.#refuse({ write, resolve, reject }, new Error('the store is too slow: too many changes wait for it'));
        return;
      }
      this.#bytes += weight;
      this.#waiting.push({ write, resolve, reject });
      this.#working ??= this.#work();
    });
  }

  /** Whether an event of this session may be stored past the queue: nothing is before it. */
  isFreeFor(sessionId: string): boolean {
    return this.#working === undefined && !this.#lost.has(sessionId);
  }

  /** Resolves when nothing waits any more. */
  async drained(): Promise<void> {
    await this.#working;
  }

  async #work(): Promise<void> {
    await endOfTick();
    while (this.#waiting.length > 0) {
      if (this.#lingerMs > 0) await sleep(this.#lingerMs);
      const batch = this.#nextBatch();
      if (batch.length === 0) continue;
      try {
        const found = await this.#commit(batch.map(({ write }) => write));
        for (const [index, waiting] of batch.entries()) this.#settle(waiting, found[index] ?? false);
      } catch (error) {
        for (const waiting of batch) this.#refuse(waiting, error);
      }
    }
    this.#working = undefined;
  }

  #nextBatch(): Waiting[] {
    let count = 0;
    let bytes = 0;
    const batch: Waiting[] = [];
    for (const waiting of this.#waiting) {
      const weight = weightOf(waiting.write);
      if (count === batchWrites || (count > 0 && bytes + weight > batchBytes)) break;
      count++;
      bytes += weight;
      if (this.#comesAfterLoss(waiting.write))
        this.#refuse(waiting, new Error('an earlier event of this session was lost'));
      else batch.push(waiting);
    }
    this.#waiting.splice(0, count);
    this.#bytes -= bytes;
    return batch;
  }

  #comesAfterLoss(write: Write): boolean {
    return write.type === 'event' && write.seq > (this.#lost.get(write.sessionId) ?? Infinity);
  }

  #settle(waiting: Waiting, foundItsPlace: boolean): void {
    const { write, resolve } = waiting;
    if (!foundItsPlace && isOnlyTheHolders(write)) {
      this.#refuse(waiting, new AppError('task-elsewhere', 'another server has taken over this task; try again'));
      return;
    }
    // Who claims a task reads it anew, and goes on where its log ends.
    if (write.type === 'delete' || (write.type === 'claim' && foundItsPlace)) this.#lost.delete(write.taskId);
    resolve(foundItsPlace);
  }

  #refuse({ write, reject }: Waiting, error: unknown): void {
    if (write.type === 'event') {
      const { sessionId, seq } = write;
      this.#lost.set(sessionId, Math.min(seq, this.#lost.get(sessionId) ?? seq));
    }
    reject(error);
  }
}

function isOnlyTheHolders(write: Write): boolean {
  return write.type === 'event' || (write.type !== 'delete' && guardedTask(write) !== undefined);
}

function weightOf(write: Write): number {
  if (write.type === 'artifact') return write.content.byteLength;
  return 'body' in write ? write.body.length : 0;
}

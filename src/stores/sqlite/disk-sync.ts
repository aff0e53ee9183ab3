import { close, fdatasync } from 'node:fs';
import { promisify } from 'node:util';

/** A wait for the disk, for everything that was written when it began. */
type Sync = { readonly covers: number; readonly done: Promise<void> };

/**
 * Makes what is written to a file last. One wait serves all writes before it, and further writes need not wait for it.
 * SQLite does the same after every commit with `synchronous = full`, but there each commit waits on its own.
 */
export class DiskSync {
  readonly #file: number;
  readonly #atOnce: number;
  #written = 0;
  #onDisk = 0;
  readonly #running = new Set<Promise<void>>();
  /** The sync that began last. */
  #last: Sync | undefined;
  /** The next sync, shared by all callers until it begins. */
  #next: Promise<void> | undefined;
  #letNext = (): void => {};

  /** `atOnce`: how many waits may overlap. Each takes one of Node's four threads, which others need too. */
  constructor(file: number, { atOnce = 1 } = {}) {
    this.#file = file;
    this.#atOnce = atOnce;
  }

  /** Something was written. */
  note(): void {
    this.#written++;
  }

  /** Resolves once everything that is written now is on the disk. */
  sync(): Promise<void> {
    if (this.#onDisk >= this.#written) return Promise.resolve();
    if (this.#last && this.#last.covers >= this.#written) return this.#last.done;
    return this.#next ?? (this.#running.size < this.#atOnce ? this.#run() : (this.#next = this.#wait()));
  }

  /** Closes the file once nothing waits for it. */
  async close(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    await promisify(close)(this.#file);
  }

  #run(): Promise<void> {
    const covers = this.#written;
    const done = toDisk(this.#file).then(() => void (this.#onDisk = Math.max(this.#onDisk, covers)));
    this.#running.add(done);
    this.#last = { covers, done };
    const end = (): void => {
      this.#running.delete(done);
      if (this.#last?.done === done) this.#last = undefined;
      this.#letNext();
    };
    done.then(end, end);
    return done;
  }

  async #wait(): Promise<void> {
    await new Promise<void>((resolve) => (this.#letNext = resolve));
    this.#next = undefined;
    this.#letNext = () => {};
    await this.#run();
  }
}

const toDisk = promisify(fdatasync);

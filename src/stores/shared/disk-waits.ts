import type { Write } from './write.js';

/** For stores that first commit to memory: how commits get onto the disk. */
export type Disk = {
  /** Whether this write is acknowledged only once it is on the disk. */
  readonly isNeededFor: (write: Write) => boolean;
  /** Resolves once everything that is committed now is on the disk. */
  readonly sync: () => Promise<void>;
};

/**
 * Decides which writes wait for the disk: those that need it, and all later ones of the same task. Other tasks and the
 * next commit do not wait.
 */
export class DiskWaits {
  readonly #disk: Disk;
  /** The wait of each task's newest write. */
  readonly #pending = new Map<string, Promise<void>>();
  #newest: Promise<void> | undefined;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  isWaiting(taskId: string): boolean {
    return this.#pending.has(taskId);
  }

  /** Resolves once nothing waits any more. */
  async over(): Promise<void> {
    while (this.#newest) await this.#newest.catch(() => undefined);
  }

  /** For each write of a commit: the wait before it is acknowledged, or undefined if there is none. */
  after(batch: readonly Write[]): (Promise<void> | undefined)[] {
    const synced = batch.some(this.#disk.isNeededFor) ? this.#sync() : undefined;
    return batch.map((write) => {
      const taskId = 'taskId' in write ? write.taskId : '';
      if (synced && this.#disk.isNeededFor(write)) this.#keep(taskId, synced);
      return this.#pending.get(taskId);
    });
  }

  /** A failure also fails what was committed meanwhile: nothing is known about the disk then. */
  #sync(): Promise<void> {
    const before = this.#newest;
    const synced = Promise.all([before, this.#disk.sync()]).then(() => undefined);
    this.#newest = synced;
    const forget = (): void => {
      if (this.#newest === synced) this.#newest = undefined;
    };
    synced.then(forget, forget);
    return synced;
  }

  #keep(taskId: string, synced: Promise<void>): void {
    if (this.#pending.get(taskId) === synced) return;
    this.#pending.set(taskId, synced);
    const forget = (): void => {
      if (this.#pending.get(taskId) === synced) this.#pending.delete(taskId);
    };
    synced.then(forget, forget);
  }
}

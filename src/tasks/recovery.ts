import { setTimeout as sleep } from 'node:timers/promises';
import { isStoreAway } from '../domain/errors.js';

export type RecoveryOptions = {
  /** Recovers what nobody runs, and resolves to how many tasks that were. */
  readonly scan: () => Promise<number>;
  readonly isOver: () => boolean;
  readonly onRecovered?: (count: number) => void;
  readonly onError: (error: unknown) => void;
  /** Until a scan that failed is repeated the first time. */
  readonly waitMs?: number;
};

const firstWaitMs = 1000;
const longestWaitMs = 300_000;

/**
 * Scans for tasks to recover, one scan at a time. A scan that the store did not answer is repeated: a server is found gone
 * only once.
 */
export class Recovery {
  readonly #options: RecoveryOptions;
  #isDue = false;
  #isScanning = false;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /** Scans now, or once more after the scan under way. */
  start(): void {
    this.#isDue = true;
    if (this.#isScanning) return;
    this.#isScanning = true;
    void this.#scan();
  }

  async #scan(): Promise<void> {
    const { scan, isOver, onRecovered, onError, waitMs: first = firstWaitMs } = this.#options;
    let waitMs = first;
    while (this.#isDue && !isOver()) {
      this.#isDue = false;
      try {
        const count = await scan();
        if (count > 0) onRecovered?.(count);
        waitMs = first;
      } catch (error) {
        onError(error);
        if (!isStoreAway(error)) continue;
        this.#isDue = true;
        await sleep(waitMs, undefined, { ref: false });
        waitMs = Math.min(waitMs * 2, longestWaitMs);
      }
    }
    this.#isScanning = false;
  }
}

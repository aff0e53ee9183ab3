import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../domain/errors.js';

export type RetryOptions = {
  /** Whether the same request may succeed a little later. */
  readonly isPassing: (error: unknown) => boolean;
  /** How long the requests of one call may take together. */
  readonly patienceMs?: number;
};

/** Asks again while the store is restarting or overloaded, with growing pauses; other failures are told at once. */
export async function retry<T>(
  request: () => Promise<T>,
  { isPassing, patienceMs = 30_000 }: RetryOptions,
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (let pause = 50; ; pause = Math.min(pause * 2, 5_000)) {
    try {
      return await request();
    } catch (error) {
      if (!isPassing(error)) throw error;
      // Spread out, so that many clients do not come back in the same moment.
      const wait = pause * (0.5 + Math.random());
      if (Date.now() + wait > deadline) {
        throw new AppError('store-unavailable', 'the store does not answer; try again later', { cause: error });
      }
      await sleep(wait);
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../domain/errors.js';
import { within } from '../../util/within.js';

export type RetryOptions = {
  /** Whether the error is temporary: the same request may succeed a little later. */
  readonly isPassing: (error: unknown) => boolean;
  /** The time limit for all attempts together. */
  readonly patienceMs?: number;
};

/**
 * Retries with growing pauses while the store is restarting or overloaded; other failures are thrown immediately. A request
 * that is not answered in time is abandoned: its epoch guards against what it may still change.
 */
export async function retry<T>(
  request: () => Promise<T>,
  { isPassing, patienceMs = 30_000 }: RetryOptions,
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (let pause = 50; ; pause = Math.min(pause * 2, 2_000)) {
    try {
      return await within(deadline - Date.now(), request(), () => {
        throw unavailable(new Error(`no answer within ${patienceMs} ms`));
      });
    } catch (error) {
      if (!isPassing(error)) throw error;
      // Jitter keeps many clients from retrying at the same moment.
      const wait = pause * (0.5 + Math.random());
      if (Date.now() + wait >= deadline) throw unavailable(error);
      await sleep(wait);
    }
  }
}

function unavailable(cause: unknown): AppError {
  return new AppError('store-unavailable', 'the store does not answer; try again later', { cause });
}

import { setTimeout as sleep } from 'node:timers/promises';

/** Settles as the promise does; if that takes longer than `ms`, returns or throws what `otherwise` does. */
export async function within<T>(ms: number, promise: Promise<T>, otherwise: () => T): Promise<T> {
  const settled = new AbortController();
  const late = sleep(Math.max(0, ms), undefined, { signal: settled.signal }).then(otherwise);
  // Nobody awaits the slower one, so its rejection must not go unhandled.
  for (const one of [late, promise]) one.catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    settled.abort();
  }
}

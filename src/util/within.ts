import { setTimeout as sleep } from 'node:timers/promises';

/** What the promise settles with, or what `otherwise` returns or throws when that takes longer. */
export async function within<T>(ms: number, promise: Promise<T>, otherwise: () => T): Promise<T> {
  const settled = new AbortController();
  const late = sleep(Math.max(0, ms), undefined, { signal: settled.signal }).then(otherwise);
  // Nobody waits for the one that comes second.
  for (const one of [late, promise]) one.catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    settled.abort();
  }
}

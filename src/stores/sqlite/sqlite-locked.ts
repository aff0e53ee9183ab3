import { setTimeout as sleep } from 'node:timers/promises';

/** How long to wait while another process writes. */
export const busyTimeoutMs = 10_000;
const pauseMs = 20;

/**
 * Repeats a request while the file is locked. SQLite could wait by itself, but not while another server gives a new file its
 * form, and not without holding up this thread.
 */
export async function onceUnlocked<T>(request: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + busyTimeoutMs;
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!isLocked(error) || Date.now() >= deadline) throw error;
      await sleep(pauseMs);
    }
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_(BUSY|LOCKED)/.test(String(error.code));
}

/** Far more than anything takes on a busy machine: what has not come by then never will. */
export const patienceMs = 60_000;

/** A test may hold the clock and the timers of what it tests; it still waits in real time. */
const { setTimeout: later } = globalThis;

/** Polls until `read` gives something truthy; fails with the last value when the time is up. */
export async function until<T>(read: () => T | Promise<T>, timeoutMs = patienceMs): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (value) return value;
    if (performance.now() > deadline) throw new Error(`timed out, last value: ${JSON.stringify(value)}`);
    await new Promise((resolve) => later(resolve, 5));
  }
}

/** Far more than anything takes on a busy machine: what has not come by then never will. */
export const patienceMs = 300_000;

/** A test may hold the clock and the timers of what it tests; it still waits in real time. */
const { setTimeout: later } = globalThis;
const now = performance.now.bind(performance);

/** Polls until `read` gives something truthy; fails with the last value when the time is up. A server is asked less often. */
export async function until<T>(read: () => T | Promise<T>): Promise<NonNullable<T>> {
  const deadline = now() + patienceMs;
  for (;;) {
    const reading = read();
    const value = await reading;
    if (value) return value;
    if (now() > deadline) throw new Error(`timed out, last value: ${JSON.stringify(value)}`);
    await new Promise((resolve) => later(resolve, reading instanceof Promise ? 100 : 5));
  }
}

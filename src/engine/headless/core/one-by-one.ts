import { setImmediate as turnOfTheLoop } from 'node:timers/promises';

/** Anything slower waits for another program or the network, and holds up nobody else. */
const patienceMs = 100;

/** Forgotten when nobody waits: a promise keeps the context that it was made in, and with it a task. */
let last: Promise<void> | undefined;

/**
 * Runs work that blocks the event loop in pieces, one after another, and lets the loop turn in between. Thirty sessions that
 * open at once would otherwise hold up every other session for a quarter of a second.
 */
export async function oneByOne<T>(run: () => Promise<T>): Promise<T> {
  const before = last;
  const { promise, resolve } = withResolver();
  last = promise;
  const letNext = (): void => {
    if (last === promise) last = undefined;
    resolve();
  };
  await before;
  await turnOfTheLoop();
  const patience = setTimeout(letNext, patienceMs).unref();
  try {
    return await run();
  } finally {
    clearTimeout(patience);
    letNext();
  }
}

function withResolver(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

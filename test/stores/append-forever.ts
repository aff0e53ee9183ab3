// Appends to two sessions without end, one of them claimed, and prints each event that the store has acknowledged. Its parent
// kills it.
import { writeSync } from 'node:fs';
import { setImmediate as endOfTick } from 'node:timers/promises';
import { openStore } from '../../src/stores/open.js';
import { eventOf } from './samples.js';

const store = await openStore(process.argv[2] ?? '', { stateDir: '/nowhere', env: process.env });

/** While its parent is busy, the pipe may be full for a moment. */
async function print(line: string): Promise<void> {
  for (;;) {
    try {
      writeSync(1, line);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      await endOfTick();
    }
  }
}

async function appendTo(session: string): Promise<never> {
  for (let seq = 1; ; seq += 5) {
    // Five at once, as a tick of a session gives them.
    await Promise.all(
      [0, 1, 2, 3, 4].map(async (offset) => {
        await store.append(eventOf(session, seq + offset));
        await print(`${session} ${seq + offset}\n`);
      }),
    );
  }
}

await store.claim('a');
await Promise.all([appendTo('a'), appendTo('b')]);

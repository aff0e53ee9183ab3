import type { Scheduler } from '@google/gemini-cli-core';
import { expect, test } from 'vitest';
import { beginOnceStored } from '../../../src/engine/headless/begin-once-stored.js';

test('what clients get about the start of a tool leaves before the tool holds up the event loop', async () => {
  const happened: string[] = [];
  const executor = {
    execute: async (): Promise<void> => {
      happened.push('the tool starts');
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the private part of core's that is used
  beginOnceStored({ executor } as unknown as Scheduler, async () => {
    happened.push('stored');
    // Listeners hear of it in this tick, and write at the end of the tick that they hear it in.
    setImmediate(() => happened.push('sent'));
  });
  const execution = { signal: new AbortController().signal, call: {} };
  await (executor.execute as (execution: object) => Promise<void>)(execution);
  expect(happened).toEqual(['stored', 'sent', 'the tool starts']);
});

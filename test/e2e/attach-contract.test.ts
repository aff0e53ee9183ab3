import { afterAll, afterEach, beforeAll, test } from 'vitest';
import { attachChecks, startForContract } from '../support/attach-contract.js';
import type { Live } from '../support/live.js';

let live: Live;

beforeAll(async () => {
  live = await startForContract();
});
// A check that failed may have left a dialog open, which would fail all that follow.
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  await live.stop();
  live = await startForContract();
});
afterAll(() => live.stop());

for (const { promise, run } of attachChecks) test(promise, () => run(live));

import { expect, test } from 'vitest';
import { lastToolResult } from '../../src/demo/script.js';
import { call, say } from '../../src/demo/reply.js';
import { useLive } from '../support/use-live.js';

let calls = 0;

/** Calls the same tool again and again until the CLI finds that odd. */
const session = useLive({
  script: (request) => {
    if (lastToolResult(request) !== undefined && calls > 30) return { chunks: [[say('Enough.')]] };
    calls++;
    return { chunks: [[call('list_directory', { dir_path: '.' })]] };
  },
});

test('a loop that the CLI detects is a question to every client, and a client answers it', async () => {
  const alice = await session.connect();
  await alice.prompt('loop');
  const asked = await alice.find((event) => event['tool_name'] === 'loop_detection');
  expect(asked).toMatchObject({
    status: 'PENDING',
    confirmation_request: { options: [{ id: 'disable' }, { id: 'cancel' }] },
  });
  await alice.state('input-required');
  await session.live.screen.waitFor('loop was detected');
  await alice.answer(asked['tool_call_id'], 'cancel');
  await alice.find((event) => event['final'] === true);
  await session.live.screen.waitUntilGone('Keep loop detection enabled');
});

import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Live, readyPrompt, startLive } from '../support/live.js';
import { scriptOf } from '../support/scripts.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const preload = pathToFileURL(resolve('test/support/hold-hub.js')).href;
const mayLoad = join(temporaryFolder(), 'may-load');
let live: Live;
beforeAll(async () => {
  const env = { NODE_OPTIONS: `--import ${preload}`, HOLD_HUB_UNTIL: mayLoad };
  live = await startLive({ script: scriptOf({}), env });
});
afterAll(() => live.stop());

test('a prompt typed before the hub is loaded is in the history, with its answer', async () => {
  const { screen } = live;
  await screen.submit('the very first words');
  // While the CLI starts it may miss the key; two that it reads at once would be a new line. The input line is empty again
  // once it has taken the prompt.
  while (!screen.text.includes(readyPrompt)) {
    await screen.press('enter');
    await sleep(1000);
  }
  // Nothing waits for the CLI's own start: it would send the prompt to the model now.
  await screen.waitUntilGone('Queued');
  writeFileSync(mayLoad, '');
  const client = await live.connect('?after=0');
  await screen.waitFor('You said: the very first words');
  await client.state('completed');
  // A CLI that is slow to clear its input line takes the words twice, and sends both as one prompt.
  expect(client.seen.find(({ kind }) => kind === 'USER_MESSAGE')).toMatchObject({
    content: { text: expect.stringMatching(/^the very first words(\n\nthe very first words)*$/) },
    origin: { surface: 'tui' },
  });
  expect(client.text).toMatch(/^You said: the very first words/);
  client.close();
});

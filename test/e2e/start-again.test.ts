import { expect, test } from 'vitest';
import { scriptOf } from '../support/scripts.js';
import { readyPrompt, startLive } from '../support/live.js';
import { until } from '../support/until.js';

test('the CLI restarts itself when a folder is trusted, is shared again, and ends as always', async () => {
  // Neither trusted nor not: the CLI asks.
  const live = await startLive({ script: scriptOf({}), env: { GEMINI_CLI_TRUST_WORKSPACE: '' } });
  try {
    const { screen } = live;
    await screen.waitFor('Do you trust the files in this folder?');
    const first = await live.entry();
    // The CLI drops keys while it begins: it is ready once it has moved.
    await until(async () => screen.text.includes('● 2.') || (await screen.press('down')));
    await until(async () => screen.text.includes('● 1.') || (await screen.press('up')));
    await screen.press('enter');
    const second = await until(async () => {
      const entry = await live.entry();
      return entry.token === first.token ? undefined : entry;
    });
    expect(second.workspace).toBe(first.workspace);
    await screen.waitFor(readyPrompt);
    const client = await live.connect();
    await client.prompt('hello');
    await screen.waitFor('You said: hello');
    await client.state('completed');
    client.close();
    await screen.submit('/quit');
    expect(await screen.waitForExit()).toBe(0);
  } finally {
    await live.stop();
  }
});

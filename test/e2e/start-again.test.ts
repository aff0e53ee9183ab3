import { mkdirSync, readdirSync } from 'node:fs';
import nodeModule from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { version } from '../../src/config/version.js';
import { scriptOf } from '../support/scripts.js';
import { readyPrompt, startLive } from '../support/live.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

/** Node from 22.1 keeps what it has compiled. */
const keeps = 'enableCompileCache' in nodeModule;

test('the CLI restarts itself when a folder is trusted, is shared again, and ends as always', async () => {
  const folder = temporaryFolder();
  const compiled = join(folder, 'state', 'compiled');
  mkdirSync(join(compiled, 'an-older-release'), { recursive: true, mode: 0o700 });
  // Neither trusted nor not: the CLI asks.
  const live = await startLive({ script: scriptOf({}), folder, env: { GEMINI_CLI_TRUST_WORKSPACE: '' } });
  try {
    const { screen } = live;
    await screen.waitFor('Do you trust the files in this folder?');
    const first = await live.entry();
    const second = await until(async () => {
      // The CLI drops keys while it begins. To the next one, Enter alone means nothing.
      await screen.press('enter');
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
    expect(readdirSync(compiled)).toEqual([keeps ? version : 'an-older-release']);
  } finally {
    await live.stop();
  }
});

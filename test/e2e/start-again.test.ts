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

/** The CLI asks for a restart by exiting with this code, for example after a folder was trusted. */
const onSignal = encodeURIComponent("process.once('SIGUSR2', () => process.exit(199))");

test('a CLI that asks to be restarted is, is shared again, and ends as always', async () => {
  const folder = temporaryFolder();
  const compiled = join(folder, 'state', 'compiled');
  mkdirSync(join(compiled, 'an-older-release'), { recursive: true, mode: 0o700 });
  const env = { NODE_OPTIONS: `--import data:text/javascript,${onSignal}` };
  const live = await startLive({ script: scriptOf({}), folder, env });
  try {
    const { screen } = live;
    await screen.waitFor(readyPrompt);
    const first = await live.entry();
    process.kill(first.pid, 'SIGUSR2');
    const second = await until(async () => {
      const entry = await live.entry();
      return entry.token === first.token ? undefined : entry;
    });
    expect(second.workspace).toBe(first.workspace);
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

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { version } from '../../src/config/version.js';
import { scriptOf } from '../support/scripts.js';
import { nextEntry, promptAndQuit, readyPrompt, startLive } from '../support/live.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { installedNode24 } from '../support/third-party.js';
import { until } from '../support/until.js';

/**
 * Loaded into the CLI. The CLI asks for a restart by exiting with this code, for example after a folder was trusted, and sends
 * its launcher the settings of an administrator, which it gets back. Writes down what it was sent, and a variable.
 */
const inside = `
  import { appendFileSync } from 'node:fs';
  const note = (text) => appendFileSync(process.env.NOTES, text + '\\n');
  process.on('message', ({ type, settings }) => note(type + ' ' + JSON.stringify(settings)));
  process.on('SIGUSR1', () => note(process.env.FROM_DOT_ENV));
  process.on('SIGUSR2', () => {
    process.send({ type: 'admin-settings-update', settings: { strictModeDisabled: true } });
    setImmediate(() => process.exit(199));
  });`;

test.each([
  ['by our launcher, or in its place', process.execPath],
  ['in place of our launcher', installedNode24()],
])('a CLI that asks to be restarted is, with what it wants to keep, and is shared again: %s', async (_, node) => {
  const folder = temporaryFolder();
  const cache = join(folder, 'cache');
  const compiled = join(cache, 'cosession', 'gemini-cli');
  const notes = join(folder, 'notes');
  const dotEnv = join(folder, 'workspace', '.env');
  mkdirSync(join(compiled, 'an-older-release'), { recursive: true, mode: 0o700 });
  mkdirSync(join(folder, 'workspace'));
  writeFileSync(notes, '');
  writeFileSync(dotEnv, 'FROM_DOT_ENV=first');
  const env = {
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(inside)}`,
    NOTES: notes,
    XDG_CACHE_HOME: cache,
  };
  const live = await startLive({ script: scriptOf({}), folder, env, node });
  const noted = (text: string): Promise<boolean> => until(() => readFileSync(notes, 'utf8').split('\n').includes(text));
  try {
    const { screen } = live;
    await screen.waitFor(readyPrompt);
    const first = await live.entry();
    process.kill(first.pid, 'SIGUSR1');
    await noted('first');
    writeFileSync(dotEnv, 'FROM_DOT_ENV=second');
    process.kill(first.pid, 'SIGUSR2');
    const second = await nextEntry(live, first);
    expect(second.workspace).toBe(first.workspace);
    await noted('admin-settings {"strictModeDisabled":true}');
    process.kill(second.pid, 'SIGUSR1');
    await noted('second');
    expect(await promptAndQuit(live)).toBe(0);
    // Node 20 does not keep what it has compiled of the CLI.
    const isOld = node === process.execPath && process.version.startsWith('v20.');
    expect(readdirSync(compiled)).toEqual([isOld ? 'an-older-release' : version]);
  } finally {
    await live.stop();
  }
});

import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { announce } from '../../src/discovery/discovery.js';
import { outputOf } from '../support/command.js';
import { ensureDebian } from '../support/debian.js';
import { mainScript } from '../support/live.js';
import { Screen } from '../support/screen.js';
import { type ServedHub, serveHub, token } from '../support/served-hub.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { patienceMs } from '../support/until.js';

const shells = ['bash', 'zsh', 'fish'] as const;
const folder = temporaryFolder();
const stateDir = temporaryFolder();
const fileOf = (shell: string): string => join(folder, `completion.${shell}`);
let hub: ServedHub;
let env: NodeJS.ProcessEnv;

/** The built program under its own name, a live session, and the code for each shell. */
beforeAll(async () => {
  ensureDebian({ '/usr/bin/zsh': 'zsh', '/usr/bin/fish': 'fish' });
  hub = await serveHub();
  const { url, port } = hub.server;
  const workspace = '/home/ada/my project';
  announce(stateDir, { pid: process.pid, port, url, token, workspace, sessionId: hub.session.id, startedAt: '2026' });
  const program = join(folder, 'cosession');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${mainScript}" "$@"\n`);
  chmodSync(program, 0o755);
  for (const shell of shells) writeFileSync(fileOf(shell), await outputOf('completion', [shell]));
  env = { ...process.env, PATH: `${folder}:${process.env['PATH']}`, COSESSION_STATE_DIR: stateDir, HOME: folder };
}, patienceMs);
afterAll(() => hub.stop());

const run = async (program: string, ...args: string[]): Promise<string[]> => {
  const { stdout } = await promisify(execFile)(program, args, { env });
  return stdout.trim().split('\n');
};

test('bash completes commands, flags, values and live sessions', async () => {
  const complete = (...words: string[]): string =>
    `COMP_WORDS=(${words.map((word) => `"${word}"`).join(' ')}); COMP_CWORD=${words.length - 1}; _cosession; echo "\${COMPREPLY[*]}"`;
  const lines = [
    `source ${fileOf('bash')}`,
    complete('cosession', 'at'),
    complete('cosession', '--a2a-p'),
    complete('cosession', 'send', '--on-q'),
    complete('cosession', 'send', '--on-question', ''),
    complete('cosession', 'token', 're'),
    complete('cosession', 'attach', String(hub.server.port).slice(0, 3)),
  ];
  expect(await run('bash', '-c', lines.join('\n'))).toEqual([
    'attach',
    '--a2a-port',
    '--on-question',
    'wait deny fail',
    'revoke',
    String(hub.server.port),
  ]);
});

test('fish completes the same, with what each means', async () => {
  const asked = ['cosession at', 'cosession send --on-q', 'cosession send --on-question ', 'cosession token re'];
  const lines = [...asked, 'cosession attach '].map((line) => `complete -C '${line}'`);
  const shown = (await run('fish', '-c', [`source ${fileOf('fish')}`, ...lines].join('\n'))).join('\n');
  expect(shown).toMatch(/^attach\tjoin a live session/);
  expect(shown).toContain('--on-question\twait for somebody');
  expect(shown).toMatch(/^deny\t/m);
  expect(shown).toMatch(/^revoke$/m);
  expect(shown).toContain(`${hub.server.port}\t/home/ada/my project`);
});

test('zsh completes at its own prompt', async () => {
  writeFileSync(
    join(folder, '.zshrc'),
    `PS1='%% '; autoload -U compinit; compinit -u -d ${folder}/dump; source ${fileOf('zsh')}\n`,
  );
  const screen = new Screen('zsh', ['-i'], { env: { ...env, ZDOTDIR: folder }, cwd: folder });
  try {
    await screen.waitFor('%');
    screen.type('cosession att\t');
    await screen.waitFor('cosession attach');
    screen.type('\u0015cosession send --on-q\t');
    await screen.waitFor('cosession send --on-question');
    screen.type('d\t');
    await screen.waitFor('--on-question deny');
    screen.type('\u0015cosession attach \t');
    await screen.waitFor(`cosession attach ${hub.server.port}`);
  } finally {
    await screen.stop();
  }
});

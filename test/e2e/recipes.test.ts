import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitCodes } from '../../src/cli/argv/exit-codes.js';
import { ensureDebian } from '../support/debian.js';
import { freePort } from '../support/free-port.js';
import { mainScript } from '../support/live.js';
import { waitingShell } from '../support/manual-engine.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { patienceMs, until } from '../support/until.js';

const run = promisify(execFile);
const blocks = (page: string, language: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(
    ([, code = '']) => code,
  );

let hub: ServedHub;
beforeAll(async () => {
  const libraries = '/usr/lib/python3/dist-packages';
  ensureDebian({ [`${libraries}/httpx`]: 'python3-httpx', [`${libraries}/websockets`]: 'python3-websockets' });
  hub = await serveHub();
}, patienceMs);
afterAll(() => hub.stop());

const [prompt = '', answer = ''] = blocks('docs/python.md', 'python');
const python = (code: string) => run('/usr/bin/python3', ['-c', code.replaceAll('41243', String(hub.server.port))]);

test('the Python example that prompts', async () => {
  const ran = python(prompt);
  await until(() => hub.engine.started.length === 1);
  hub.engine.say('Hi, ');
  hub.engine.say('you.');
  hub.engine.end();
  expect((await ran).stdout).toBe('Hi, you.\ncompleted\n');
});

test('the Python example that answers', async () => {
  const ran = python(answer);
  await until(() => hub.engine.started.length === 2);
  hub.engine.report({ type: 'tool', call: waitingShell() });
  await until(() => hub.engine.answered.length === 1);
  hub.engine.end();
  expect((await ran).stdout).toBe('asked: run_shell_command\ncompleted\n');
});

test('the shell lines of the workflow in docs/ci.md, with the demo as the model', async () => {
  const [workflow = ''] = blocks('docs/ci.md', 'yaml');
  const script = workflow.slice(workflow.lastIndexOf('run: |\n') + 'run: |\n'.length).replaceAll(/^ {10}/gm, '');
  const port = await freePort();
  const [folder, bin] = [temporaryFolder(), temporaryFolder()];
  writeFileSync(join(bin, 'cosession'), `#!/bin/sh\nexec "${process.execPath}" "${mainScript}" "$@"\n`, {
    mode: 0o755,
  });
  const home = join(folder, 'home');
  mkdirSync(home);
  await run('git', ['init', '-q', folder]);
  writeFileSync(join(folder, 'hello.txt'), 'hello\n');
  const summary = join(folder, 'summary.md');
  const env = {
    PATH: `${bin}:${process.env['PATH']}`,
    HOME: home,
    COSESSION_STATE_DIR: join(folder, 'state'),
    GITHUB_STEP_SUMMARY: summary,
    // The empty tree, which every repository has.
    BASE: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  };
  const lines = script.replaceAll('41242', String(port)).replace('--new', `http://127.0.0.1:${port}/ --new`);
  await run('git', ['-C', folder, 'add', '.']);
  const job = run('bash', ['-e', '-c', lines.replace('cosession serve', 'cosession serve --demo')], {
    cwd: folder,
    env,
  });
  // The demo wants to run a command, and the workflow denies it.
  await expect(job).rejects.toMatchObject({
    code: exitCodes.refused.code,
    stderr: expect.stringContaining('answered "No'),
  });
  expect(readFileSync(summary, 'utf8')).toBe(readFileSync(join(folder, 'review.md'), 'utf8'));
});

import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { mainScript } from '../support/live.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);
const nobody = 65_534;

type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };

async function cosession(stateDir: string, ...args: string[]): Promise<Ran> {
  const env = { ...process.env, COSESSION_STATE_DIR: stateDir };
  const ran = run(process.execPath, [mainScript, ...args], { env, cwd: temporaryFolder() });
  return ran.then(({ stdout, stderr }) => ({ code: 0, stdout, stderr })).catch((error: Ran) => error);
}

/** A state folder as we make it, with a token and a session. */
function stateFolder(): string {
  const folder = join(temporaryFolder(), 'state');
  for (const name of ['', 'tokens', 'sessions']) mkdirSync(join(folder, name), { mode: 0o700 });
  for (const name of ['tokens/ci.json', 'sessions/1.json']) writeFileSync(join(folder, name), '{}', { mode: 0o600 });
  return folder;
}

/** Everything that reads or writes the folder. The flags would do no harm if they were not refused. */
const commands = [
  ['ls'],
  ['token', 'list'],
  ['token', 'create', '--name', 'new', '--scope', 'admin'],
  ['serve', '--port', '0', '--store', 'no-such-store:'],
  ['--a2a-port', '0', '--demo', '--gemini-cli', '/nowhere'],
  ['--engine', '/nowhere', '--a2a-port', '0'],
  ['attach'],
  ['watch'],
  ['send', 'hello'],
  ['approve'],
  ['cancel'],
  ['acp'],
];

test.each(commands)('a state folder that all may write to is refused, with what to run: %s', async (...args) => {
  const folder = stateFolder();
  chmodSync(folder, 0o777);
  expect(await cosession(folder, ...args)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `cosession: others may write to ${folder} and could grant themselves access. Run: chmod go-w '${folder}'\n`,
  });
  expect(readdirSync(join(folder, 'tokens'))).toEqual(['ci.json']);
});

test.each([
  ['the group may write to it', (folder: string) => [folder, () => chmodSync(folder, 0o770)]],
  ['its tokens', (folder: string) => [join(folder, 'tokens'), (path: string) => chmodSync(path, 0o707)]],
  ['one token', (folder: string) => [join(folder, 'tokens/ci.json'), (path: string) => chmodSync(path, 0o666)]],
  ['one session', (folder: string) => [join(folder, 'sessions/1.json'), (path: string) => chmodSync(path, 0o620)]],
  ['the folder above', (folder: string) => [join(folder, '..'), (path: string) => chmodSync(path, 0o777)]],
] as const)('as is one where %s can be changed by others', async (_name, spoil) => {
  const folder = stateFolder();
  const [path, change] = spoil(folder) as [string, (path: string) => void];
  change(path);
  const { code, stderr } = await cosession(folder, 'ls');
  expect(code).toBe(1);
  expect(stderr).toContain(`others may write to ${join(path)} and`);
  // What the sentence says helps.
  await run('sh', ['-c', stderr.slice(stderr.indexOf('chmod'))]);
  expect(await cosession(folder, 'ls')).toMatchObject({ code: 0 });
});

test.each(['.', 'tokens', 'tokens/ci.json'])('as is one of another user: %s', async (name) => {
  const folder = stateFolder();
  chownSync(join(folder, name), nobody, nobody);
  const { code, stderr } = await cosession(folder, 'ls');
  expect(code).toBe(1);
  expect(stderr).toContain(`${join(folder, name)} belongs to another user (id ${nobody})`);
});

test('one of our own is used, also through a link and before it is there', async () => {
  const folder = stateFolder();
  const link = join(temporaryFolder(), 'link');
  symlinkSync(folder, link);
  for (const path of [folder, link, join(folder, 'not', 'yet')])
    expect(await cosession(path, 'ls')).toMatchObject({ code: 0, stderr: '' });
});

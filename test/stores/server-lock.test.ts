import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { lockServer } from '../../src/stores/sqlite/server-lock.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const lockIn = (folder: string, server: string) =>
  spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      '--input-type=module',
      '--eval',
      `import { lockServer } from ${JSON.stringify(resolve('src/stores/sqlite/server-lock.ts'))};
       globalThis.lock = lockServer(${JSON.stringify(folder)}, ${JSON.stringify(server)});
       console.log('locked');
       setInterval(() => {}, 1000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );

test('a server is dead when its process is, and not before', async () => {
  const folder = temporaryFolder();
  const other = lockIn(folder, 'other');
  await once(other.stdout, 'data');
  const lock = lockServer(folder, 'one');
  expect(lock.isDead('other')).toBe(false);
  other.kill('SIGKILL');
  await once(other, 'exit');
  expect(lock.isDead('other')).toBe(true);
  expect(lock.isDead('one')).toBe(false);
  expect(lock.isDead('of another folder')).toBe(false);
  expect(readdirSync(join(folder, 'servers'))).toEqual(['one.lock']);
  lock.release();
  expect(readdirSync(join(folder, 'servers'))).toEqual([]);
});

test('locks that nobody asked for are forgotten after a day, unless their server lives', () => {
  const folder = temporaryFolder();
  const living = lockServer(folder, 'living');
  const file = (name: string): string => join(folder, 'servers', `${name}.lock`);
  for (const name of ['long-dead', 'just-died']) writeFileSync(file(name), '');
  for (const name of ['living', 'long-dead']) utimesSync(file(name), 0, 0);
  const next = lockServer(folder, 'next');
  expect(readdirSync(join(folder, 'servers')).toSorted()).toEqual(['just-died.lock', 'living.lock', 'next.lock']);
  living.release();
  next.release();
});

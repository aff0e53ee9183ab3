import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';

const setup = resolve('scripts/setup.js');
const folder = temporaryFolder();
const lock = join(folder, 'package-lock.json');
const calls = join(folder, 'calls.txt');
mkdirSync(join(folder, 'bin'));
writeFileSync(calls, '');
// It notes that it ran, and keeps the lock file as npm does.
const npm = `#!/bin/sh
echo "$@" >> ${calls}
[ -e fails ] || { mkdir -p node_modules && cp package-lock.json node_modules/.package-lock.json; }
`;
writeFileSync(join(folder, 'bin', 'npm'), npm, { mode: 0o755 });

/** A lock file with one package for every platform and one for another. */
const lockWith = (version: string): string => {
  const packages = { '': {}, 'node_modules/a': { version }, 'node_modules/b': { version, optional: true } };
  return JSON.stringify({ packages });
};

/** Returns how often packages have been installed so far. */
function ensureInstalled(): number {
  const env = { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}` };
  const script = `import(${JSON.stringify(setup)}).then((setup) => setup.ensureInstalled())`;
  spawnSync(process.execPath, ['-e', script], { cwd: folder, env });
  return readFileSync(calls, 'utf8').split('\n').length - 1;
}

/** The times of files decided, so a rebase that brought new packages but an older file installed nothing. */
test('packages are installed when the content of the lock file has changed, and only then', () => {
  writeFileSync(lock, lockWith('1.0.0'));
  expect(ensureInstalled()).toBe(1);
  utimesSync(lock, new Date(), new Date(Date.now() + 60_000));
  expect(ensureInstalled()).toBe(1);
  writeFileSync(lock, lockWith('2.0.0'));
  utimesSync(lock, new Date(0), new Date(0));
  // Until it has worked, it is tried again.
  writeFileSync(join(folder, 'fails'), '');
  expect(ensureInstalled()).toBe(2);
  expect(ensureInstalled()).toBe(3);
});

// Prepares a fresh clone: installs its packages and makes sure that the build is not older than the sources.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export function ensureInstalled() {
  if (isInstalled()) return;
  console.error('Installing packages …');
  // Not `npm ci`: it requires the binaries of every platform in the lock file, and some registries lack a few of them.
  // No package needs its install script: native packages ship their binary.
  run('npm', ['install', '--no-save', '--no-fund', '--no-audit', '--ignore-scripts']);
}

/** Whether the packages of the lock file are there. Not by its time: a rebase may bring an older file with other packages. */
function isInstalled() {
  const kept = 'node_modules/.package-lock.json';
  if (!existsSync(kept)) return false;
  const installed = packagesIn(kept);
  return Object.entries(packagesIn('package-lock.json')).every(
    // Optional ones may be for another platform.
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  );
}

function packagesIn(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}

export function ensureBuilt() {
  const built = statSync('dist/main.js', { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const files = ['src', 'scripts'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const newest = Math.max(...[...files, 'package.json'].map((file) => statSync(file).mtimeMs));
  if (built < newest) run(process.execPath, ['scripts/build.js']);
}

/** Runs a program with its output shown to the user. If it fails, exits too, without further messages. */
export function run(command, args) {
  const { status } = spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}

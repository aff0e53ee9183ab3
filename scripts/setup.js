// Prepares a fresh clone: installs its packages and makes sure that the build is not older than the sources.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export function ensureInstalled() {
  const marker = 'node_modules/.package-lock.json';
  if (existsSync(marker) && statSync(marker).mtimeMs >= statSync('package-lock.json').mtimeMs) return;
  console.error('Installing packages …');
  // Not `npm ci`: it requires the binaries of every platform in the lock file, and some registries lack a few of them.
  // No package needs its install script: native packages ship their binary.
  run('npm', ['install', '--no-save', '--no-fund', '--no-audit', '--ignore-scripts']);
}

export function ensureBuilt() {
  const built = statSync('dist/main.js', { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((name) => join('src', name));
  const newest = Math.max(...[...files, 'package.json', 'scripts/build.js'].map((file) => statSync(file).mtimeMs));
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

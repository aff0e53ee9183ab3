// What a fresh clone needs before anything can run: its packages and a build that is not older than the sources.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export function ensureInstalled() {
  const marker = 'node_modules/.package-lock.json';
  if (existsSync(marker) && statSync(marker).mtimeMs >= statSync('package-lock.json').mtimeMs) return;
  console.error('Installing packages …');
  // Not `npm ci`: it insists on binaries of every platform in the lock file, and some registries do not have them all.
  // No package needs its install script: those that are native bring their binary.
  run('npm', ['install', '--no-save', '--no-fund', '--no-audit', '--ignore-scripts']);
}

export function ensureBuilt() {
  const built = statSync('dist/main.js', { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((name) => join('src', name));
  const newest = Math.max(...[...files, 'package.json', 'scripts/build.js'].map((file) => statSync(file).mtimeMs));
  if (built < newest) run(process.execPath, ['scripts/build.js']);
}

/** Runs a program in front of the user; if it fails, so do we, without a word more than it said itself. */
export function run(command, args) {
  const { status } = spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}

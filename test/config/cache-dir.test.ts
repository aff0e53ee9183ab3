import { chmodSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cacheDir } from '../../src/config/cache-dir.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test.each([
  ['linux', '.cache'],
  ['win32', '.cache'],
  // The sandbox of the Gemini CLI lets tools write to ~/.cache there.
  ['darwin', join('Library', 'Caches')],
] as const)('the cache folder of %s is in the home, in %s', (platform, folder) => {
  expect(cacheDir({}, platform)).toBe(join(homedir(), folder, 'cosession'));
});

test('XDG_CACHE_HOME names another place', () => {
  const folder = temporaryFolder();
  expect(cacheDir({ XDG_CACHE_HOME: folder })).toBe(join(folder, 'cosession'));
});

test('a folder that others may replace is not used', () => {
  const folder = temporaryFolder();
  expect(cacheDir({ XDG_CACHE_HOME: join(folder, 'open') })).toBeDefined();
  mkdirSync(join(folder, 'open'));
  chmodSync(join(folder, 'open'), 0o777);
  expect(cacheDir({ XDG_CACHE_HOME: join(folder, 'open') })).toBeUndefined();
});

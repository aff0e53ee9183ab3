import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { beginLife } from '../../src/apps/live/lives.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('every life of a session has numbers of its own; other sessions do not count', () => {
  const folder = temporaryFolder();
  expect([beginLife(folder, 'a'), beginLife(folder, '../b'), beginLife(folder, 'a'), beginLife(folder, 'a')]).toEqual([
    0, 0, 1_000_000_000, 2_000_000_000,
  ]);
});

test('a count that cannot be read is none', () => {
  const folder = temporaryFolder();
  beginLife(folder, 'a');
  for (const name of readdirSync(join(folder, 'lives'))) writeFileSync(join(folder, 'lives', name), 'rubbish');
  expect(beginLife(folder, 'a')).toBe(0);
});

test('sessions that began their last life more than a year ago are forgotten', () => {
  const folder = temporaryFolder();
  beginLife(folder, 'old');
  for (const name of readdirSync(join(folder, 'lives'))) utimesSync(join(folder, 'lives', name), 0, 0);
  beginLife(folder, 'new');
  expect(readdirSync(join(folder, 'lives'))).toHaveLength(1);
});

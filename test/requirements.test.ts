import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesById, requirementIds, withTests } from './support/requirements-page.js';

const page = readFileSync('docs/requirements.md', 'utf8');
const ids = requirementIds(page);
const carriers = filesById();

test('every requirement has an id of its own', () => {
  expect(ids.length).toBeGreaterThan(120);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('every requirement is carried by a test', () => {
  expect(ids.filter((id) => !carriers.has(id))).toEqual([]);
});

test('no test carries an id that is not a requirement', () => {
  expect([...carriers.keys()].filter((id) => !ids.includes(id))).toEqual([]);
});

test('the tests that docs/requirements.md names are what npm run docs makes', async () => {
  expect(page).toBe(await withTests(page));
});

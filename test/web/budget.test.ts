import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { readFiles } from '../../src/server/page/page-files.js';

const folder = 'dist/web';
const kilobyte = 1024;
const html = readFileSync(join(folder, 'index.html'), 'utf8');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });

/** What travels over the wire. */
const sizeOf = (file: string): number => statSync(join(folder, `${file}.gz`)).size;
const sum = (names: readonly string[]): number => names.reduce((size, file) => size + sizeOf(file), 0);

/** The page, its style sheet, its script and what that imports: everything before the first paint. */
const first = [
  'index.html',
  ...Array.from(html.matchAll(/(?:href|src)="ui\/([^"]+\.(?:js|css))"/g), ([, file = '']) => file),
];
const markdown = files.filter((file) => /^chunks\/reader-.*\.js$/.test(file));

test('the page is small: 36 KB at first, 52 with markdown', () => {
  expect(first).toContain('main.js');
  expect(first).toContain('app.css');
  expect(markdown).toHaveLength(1);
  expect(sum(first)).toBeLessThanOrEqual(36 * kilobyte);
  expect(sum([...first, ...markdown])).toBeLessThanOrEqual(52 * kilobyte);
});

test('what is loaded on demand is at most 8 KB a piece', () => {
  const later = files.filter((file) => /^chunks\/.*\.js$/.test(file) && ![...first, ...markdown].includes(file));
  expect(later.length).toBeGreaterThan(2);
  expect(later.filter((file) => sizeOf(file) > 8 * kilobyte)).toEqual([]);
});

test('every text is there in three forms, and nothing refers to another place', () => {
  const texts = files.filter((file) => /\.(html|js|css|svg|webmanifest)$/.test(file));
  expect(texts.flatMap((file) => ['.br', '.gz'].filter((end) => !files.includes(file + end)))).toEqual([]);
  expect(html).not.toMatch(/(?:href|src)="(?!ui\/)/);
});

test('a server keeps at most 400 KB of it in memory, in all forms together', () => {
  const kept = [...readFiles(pathToFileURL(`${folder}/`)).values()].flatMap(({ plain, encoded }) => [
    plain,
    ...Object.values(encoded),
  ]);
  expect(kept.length).toBeGreaterThan(3);
  expect(kept.reduce((size, { length }) => size + length, 0)).toBeLessThanOrEqual(400 * kilobyte);
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keysOf, markerKey, serverKey, usageKey } from '../../src/stores/bucket/bucket-keys.js';

const page = readFileSync('docs/stores.md', 'utf8');

test('docs/stores.md lists every object of a bucket, and no other', () => {
  const {
    folder,
    events,
    turns,
    claims,
    historyPieces,
    historyPiece,
    segment,
    turnPiece,
    claim,
    artifact,
    ...objects
  } = keysOf('ID');
  expect([folder, events, turns, claims, historyPieces].every((prefix) => prefix.endsWith('/'))).toBe(true);
  const own = [historyPiece('ID'), segment(1), segment(1, 2), turnPiece(1), claim(1), artifact('NAME')];
  const made = [...own, markerKey, serverKey('ID'), usageKey('ID', 'ID')];
  const [, layout = ''] = /### The layout of a bucket\n+```\n([^`]*)```/.exec(page) ?? [];
  const documented = layout.split('\n').flatMap((line) => line.split('  ')[0] || []);
  expect([...Object.values(objects), ...made].map(patternOf).toSorted()).toEqual(documented.map(patternOf).toSorted());
});

test('docs/stores.md lists every table of PostgreSQL, and no other', () => {
  const schema = readFileSync('src/stores/postgres/postgres-schema.ts', 'utf8');
  const made = [...schema.matchAll(/create table (?:if not exists )?(\w+)/g)].map(([, name = '']) => name);
  const [, sentence = ''] = /creates the tables ([^]*?)\. /.exec(page) ?? [];
  const documented = [...sentence.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  expect(documented.toSorted()).toEqual(made.toSorted());
});

/** A key with `*` for what differs from object to object. */
function patternOf(key: string): string {
  return key.replaceAll(/<\w+>|\bID\b|\bNAME\b|\d{12}/g, '*');
}

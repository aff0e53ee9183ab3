import { expect, test } from 'vitest';
import { lineDiff } from '../../src/util/text/line-diff.js';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

test.each([
  ['a new file', '', 'one\ntwo\n', '@@ -0,0 +1,2 @@\n+one\n+two'],
  ['an emptied file', 'one\n', '', '@@ -1,1 +0,0 @@\n-one'],
  [
    'a line in the middle',
    'a\nb\nc\nd\ne\nf\ng\n',
    'a\nb\nc\nd\nE\nf\ng\n',
    '@@ -2,6 +2,6 @@\n b\n c\n d\n-e\n+E\n f\n g',
  ],
  ['a line that is repeated', 'x\nx\n', 'x\nx\nx\n', '@@ -1,2 +1,3 @@\n x\n x\n+x'],
  ['a missing line end', 'a\n', 'a', '@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file'],
  ['nothing', 'same\n', 'same\n', ''],
])('%s', (_name, before, after, diff) => {
  expect(lineDiff(before, after)).toBe(diff);
});

test('two changes far apart are two hunks, not everything between them', () => {
  const before = numbered(200);
  const after = before.with(1, 'changed').with(197, 'changed');
  const lines = lineDiff(`${before.join('\n')}\n`, `${after.join('\n')}\n`).split('\n');
  expect(lines.filter((line) => line.startsWith('@@'))).toEqual(['@@ -1,5 +1,5 @@', '@@ -195,6 +195,6 @@']);
  expect(lines).toHaveLength(15);
});

test('texts with too many differences are shown as one replaced by the other', () => {
  const [before, after] = [numbered(4000), numbered(4000).map((line) => `${line}!`)];
  const lines = lineDiff(before.join('\n'), `${after.join('\n')}\n`).split('\n');
  expect(lines[0]).toBe('@@ -1,4000 +1,4000 @@');
  expect(lines[4001]).toBe('\\ No newline at end of file');
  expect(lines).toHaveLength(8002);
});

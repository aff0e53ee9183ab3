import { expect, test } from 'vitest';
import { lineDiff } from '../../src/util/line-diff.js';

test.each([
  ['a new file', '', 'one\ntwo\n', '+one\n+two'],
  ['an emptied file', 'one\n', '', '-one'],
  ['a line in the middle', 'a\nb\nc\nd\ne\nf\ng\n', 'a\nb\nc\nd\nE\nf\ng\n', ' b\n c\n d\n-e\n+E\n f\n g'],
  ['a line that is repeated', 'x\nx\n', 'x\nx\nx\n', ' x\n x\n+x'],
  ['nothing', 'same\n', 'same\n', ' same'],
])('%s', (_name, before, after, diff) => {
  expect(lineDiff(before, after)).toBe(diff);
});

import { expect, test } from 'vitest';
import { partsOf, pairsOf } from '../../src/web/diff/parts.js';
import { applyRows, countRows, diffRows } from '../../src/web/diff/rows.js';
import { fc } from '../support/properties.js';

const line = fc.constantFrom('', 'a', 'b', 'const tries = 4;', 'const tries = 6;', '}', 'x\r', '\u202e');
const file = fc
  .tuple(fc.array(line, { maxLength: 25 }), fc.boolean())
  .map(([lines, hasEnd]) => lines.join('\n') + (hasEnd ? '\n' : ''));

test('the rows are the change: what they keep and add is the new text, what they keep and remove the old one', () => {
  fc.assert(
    fc.property(file, file, (before, after) => {
      const rows = diffRows(before, after);
      expect(applyRows(rows)).toBe(after);
      const back = rows.map((row) => ({ ...row, sign: row.sign === '+' ? ('-' as const) : (' ' as const) }));
      expect(applyRows(back)).toBe(before);
    }),
  );
});

test('no line is lost when gaps are folded or sides are paired', () => {
  fc.assert(
    fc.property(file, file, (before, after) => {
      const rows = diffRows(before, after);
      expect(partsOf(rows).flatMap((part) => part.rows)).toEqual(rows);
      expect(
        partsOf(rows)
          .filter(({ isGap }) => isGap)
          .every((part) => part.rows.every(({ sign }) => sign === ' ')),
      ).toBe(true);
      const pairs = pairsOf(rows);
      expect(applyRows(pairs.flatMap(([, right]) => right ?? []))).toBe(after);
      expect(new Set(pairs.flat().filter(Boolean))).toEqual(new Set(rows));
    }),
  );
});

test('a changed line is marked where it differs, and a missing last newline is a change', () => {
  expect(diffRows('const tries = 4;\n', 'const tries = 6;\n')).toEqual([
    { sign: '-', text: 'const tries = 4;', before: 1, mark: { from: 14, to: 15 } },
    { sign: '+', text: 'const tries = 6;', after: 1, mark: { from: 14, to: 15 } },
  ]);
  expect(diffRows('a\n', 'a')).toEqual([
    { sign: '-', text: 'a', before: 1 },
    { sign: '+', text: 'a', after: 1, isOpen: true },
  ]);
});

test('a comparison that would take too long shows everything as replaced', () => {
  const numbers = (from: number): string => Array.from({ length: 5000 }, (_, index) => `${from + index}\n`).join('');
  expect(countRows(diffRows(numbers(0), numbers(10_000)))).toEqual({ added: 5000, removed: 5000 });
});

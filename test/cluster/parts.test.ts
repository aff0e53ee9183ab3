import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Joiner, toParts } from '../../src/cluster/bus/parts.js';

test('a long message is the same after its parts are joined, in whatever order they come', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 4000 }), fc.integer(), (text, seed) => {
      const message = JSON.stringify({ text });
      const parts = toParts(message, 500);
      for (const part of parts) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(500);
      const mixed = parts.toSorted((a, b) => (hash(a, seed) < hash(b, seed) ? -1 : 1));
      const joiner = new Joiner();
      const joined = mixed.map((part) => joiner.take(part));
      expect(joined.slice(0, -1).every((whole) => whole === undefined)).toBe(true);
      expect(joined.at(-1)).toBe(message);
    }),
  );
});

test('parts of a message that never becomes whole are forgotten', () => {
  const joiner = new Joiner();
  const [first = '', second = ''] = toParts('x'.repeat(600), 500);
  joiner.take(first);
  for (let count = 0; count < 100; count++) joiner.take(toParts('y'.repeat(600), 500)[0] ?? '');
  expect(joiner.take(second)).toBeUndefined();
});

function hash(text: string, seed: number): number {
  let sum = seed;
  for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return sum;
}

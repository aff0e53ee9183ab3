import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonSize } from '../../src/util/json-size.js';

test.each([
  ['1', 0, 1],
  ['""', 0, 1],
  ['[]', 1, 2],
  ['[1,2,3]', 1, 4],
  ['{"a":[{}],"b":""}', 3, 5],
  [JSON.stringify({ a: '[[[["{{{{,,,,\\' }), 1, 2],
  ['['.repeat(65), 65, 66],
])('%s', (text, depth, values) => {
  expect(jsonSize(text)).toEqual({ depth, values });
});

test('whatever is written, no value and no bracket is missed', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const { depth, values } = jsonSize(JSON.stringify(value));
      expect(depth).toBe(depthOf(value));
      expect(values).toBeGreaterThanOrEqual(count(value));
      expect(values).toBeLessThanOrEqual(2 * count(value));
    }),
  );
});

function children(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

function count(value: unknown): number {
  return children(value).reduce<number>((sum, child) => sum + count(child), 1);
}

function depthOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? 1 + Math.max(0, ...children(value).map(depthOf)) : 0;
}

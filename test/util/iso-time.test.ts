import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime } from '../../src/util/text/iso-time.js';

test('a time is written as `toISOString` does, in any order', () => {
  const anyTime = fc.date({ noInvalidDate: true });
  const anyNear = fc.tuple(anyTime, fc.array(fc.integer({ min: -3000, max: 3000 })));
  fc.assert(
    fc.property(anyNear, ([date, steps]) => {
      for (const step of [0, ...steps]) {
        const near = new Date(date.getTime() + step);
        if (!Number.isNaN(near.getTime())) expect(isoTime(near.getTime())).toBe(near.toISOString());
      }
    }),
  );
});

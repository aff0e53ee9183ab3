import { expect, test } from 'vitest';
import { RateLimiter } from '../../src/auth/rate-limiter.js';

type Step = [atMs: number, key: string, isAllowed: boolean, remaining: number, retryAfter: number];

test.each<[string, { burst: number; perSecond: number }, Step[]]>([
  [
    'a burst is served, then one per refill',
    { burst: 3, perSecond: 1 },
    [
      [0, 'a', true, 2, 0],
      [0, 'a', true, 1, 0],
      [0, 'a', true, 0, 1],
      [0, 'a', false, 0, 1],
      [900, 'a', false, 0, 1],
      [1000, 'a', true, 0, 1],
    ],
  ],
  [
    'keys do not share',
    { burst: 1, perSecond: 1 },
    [
      [0, 'a', true, 0, 1],
      [0, 'b', true, 0, 1],
      [0, 'a', false, 0, 1],
    ],
  ],
  [
    'a bucket never holds more than its burst',
    { burst: 2, perSecond: 10 },
    [
      [0, 'a', true, 1, 0],
      [60_000, 'a', true, 1, 0],
      [60_000, 'a', true, 0, 1],
      [60_000, 'a', false, 0, 1],
    ],
  ],
  [
    'slow refills say how long to wait',
    { burst: 1, perSecond: 0.2 },
    [
      [0, 'a', true, 0, 5],
      [1000, 'a', false, 0, 4],
      [4900, 'a', false, 0, 1],
      [5000, 'a', true, 0, 5],
    ],
  ],
])('%s', (_name, rate, steps) => {
  let now = 0;
  const limiter = new RateLimiter(rate, () => now);
  for (const [at, key, isAllowed, remaining, retryAfter] of steps) {
    now = at;
    expect([at, limiter.take(key)]).toEqual([at, { isAllowed, remaining, retryAfter }]);
  }
});

test('a flood of keys costs bounded memory and forgets the idlest first', () => {
  const limiter = new RateLimiter({ burst: 1, perSecond: 0.001 }, () => 0);
  limiter.take('busy');
  limiter.take('idle');
  for (let index = 0; index < 9999; index++) {
    limiter.take(`flood-${index}`);
    if (index % 5000 === 0) limiter.take('busy');
  }
  expect(limiter.take('busy').isAllowed).toBe(false);
  expect(limiter.take('idle').isAllowed).toBe(true);
});

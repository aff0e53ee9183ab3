import { fc } from '../support/properties.js';
import { expect, test } from 'vitest';
import { FairGate, type Leave } from '../../src/util/fair-gate.js';

test('those who wait take turns by their key, so a crowd holds up nobody', async () => {
  const gate = new FairGate({ width: 1, maxWaiting: 10 });
  const leave = await gate.enter('first');
  const order: string[] = [];
  const visits = ['crowd', 'crowd', 'crowd', 'one', 'two'].map(async (key) => {
    const out = await gate.enter(key);
    order.push(key);
    out();
  });
  leave();
  await Promise.all(visits);
  expect(order).toEqual(['crowd', 'one', 'two', 'crowd', 'crowd']);
});

test('it is full when as many wait as may, and leaving twice lets one in', async () => {
  const gate = new FairGate({ width: 1, maxWaiting: 1 });
  const leave = await gate.enter('a');
  expect(gate.isFull).toBe(false);
  const next = gate.enter('b');
  void gate.enter('c');
  expect([gate.isFull, gate.waiting, gate.tryEnter()]).toEqual([true, 2, undefined]);
  leave();
  leave();
  await next;
  expect([gate.inside, gate.waiting]).toEqual([1, 1]);
});

test('whoever comes and goes, never more than its width are inside, and everybody gets in', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.nat(3), { minLength: 1, maxLength: 40 }),
      async (width, keys) => {
        const gate = new FairGate({ width, maxWaiting: 100 });
        let inside = 0;
        const visit = async (key: number): Promise<void> => {
          const leave: Leave = await gate.enter(`key-${key}`);
          expect(++inside).toBeLessThanOrEqual(width);
          await Promise.resolve();
          inside--;
          leave();
        };
        await Promise.all(keys.map(visit));
        expect([gate.inside, gate.waiting]).toEqual([0, 0]);
      },
    ),
  );
});

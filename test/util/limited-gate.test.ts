import { expect, test } from 'vitest';
import { FairGate, type Leave } from '../../src/util/fair-gate.js';
import { LimitedGate } from '../../src/util/limited-gate.js';
import { ownPlaces, type OwnerPlaces } from '../../src/util/owner-places.js';
import { until } from '../support/until.js';

const never = 3_600_000;

function newGate(places: OwnerPlaces, { width = 10, maxWaiting = 10, lookMs = never } = {}) {
  const errors: unknown[] = [];
  const free: string[] = [];
  const gate = new LimitedGate({
    gate: new FairGate({ width, maxWaiting }),
    maxWaiting,
    places,
    ownerOf: async (key) => key.replace(/ .*/, ''),
    onFree: (owner) => free.push(owner),
    onError: (error) => errors.push(error),
    lookMs,
  });
  const entered: string[] = [];
  const leaves = new Map<string, Leave>();
  const enter = (key: string): void => {
    const enters = async (): Promise<void> => {
      leaves.set(key, await gate.enter(key));
      entered.push(key);
    };
    void enters();
  };
  const leave = (key: string): void => leaves.get(key)?.();
  return { gate, errors, free, entered, enter, leave };
}

test('an owner gets so many places, in the order of asking, and does not hold up others', async () => {
  const { gate, entered, enter, leave, free } = newGate(ownPlaces(2));
  for (const key of ['ada 1', 'ada 2', 'ada 3', 'ada 4', 'bob 1']) enter(key);
  await until(() => entered.length === 3);
  expect(entered.toSorted()).toEqual(['ada 1', 'ada 2', 'bob 1']);
  expect([gate.inside, gate.waiting, gate.tryEnter()]).toEqual([3, 2, undefined]);
  leave('ada 2');
  leave('ada 2');
  await until(() => entered.length === 4);
  expect(entered.at(-1)).toBe('ada 3');
  await until(() => free.length === 1);
  leave('ada 1');
  await until(() => entered.at(-1) === 'ada 4');
  expect([gate.inside, gate.waiting]).toEqual([3, 0]);
});

test('whoever waits for a place of theirs does not take room at the gate, and counts as waiting', async () => {
  const { gate, entered, enter } = newGate(ownPlaces(1), { width: 2, maxWaiting: 1 });
  enter('ada 1');
  await until(() => entered.length === 1);
  expect(gate.isFull).toBe(false);
  enter('ada 2');
  expect([gate.waiting, gate.isFull]).toEqual([1, true]);
  enter('bob 1');
  await until(() => entered.length === 2);
  expect(entered).toEqual(['ada 1', 'bob 1']);
});

test('two gates share the places: what is left at one is found at the other, told or not', async () => {
  const shared = ownPlaces(1);
  let refused = 0;
  const places: OwnerPlaces = {
    ...shared,
    async take(owner, id) {
      const isTaken = await shared.take(owner, id);
      if (!isTaken) refused++;
      return isTaken;
    },
  };
  const [here, there] = [newGate(places), newGate(places)];
  here.enter('ada 1');
  await until(() => here.entered.length === 1);
  there.enter('ada 2');
  await until(() => refused === 1);
  here.leave('ada 1');
  await until(() => here.free.length === 1);
  expect(there.entered).toEqual([]);
  there.gate.look('ada');
  await until(() => there.entered.length === 1);

  const silent = newGate(places, { lookMs: 1 });
  silent.enter('ada 3');
  there.leave('ada 2');
  await until(() => silent.entered.length === 1);
});

test('while the places cannot be reached, callers wait, and what was left is given back later', async () => {
  const places = ownPlaces(1);
  let isAway = true;
  const orAway = async <T>(work: () => Promise<T>): Promise<T> => {
    // It is done although the answer is lost.
    const done = await work();
    if (isAway) throw new Error('away');
    return done;
  };
  const { entered, enter, leave, errors } = newGate(
    { take: (owner, id) => orAway(() => places.take(owner, id)), leave: (ids) => orAway(() => places.leave(ids)) },
    { lookMs: 1 },
  );
  enter('ada 1');
  enter('ada 2');
  await until(() => errors.length > 1);
  expect(entered).toEqual([]);
  isAway = false;
  await until(() => entered.length === 1);
  isAway = true;
  const before = errors.length;
  leave('ada 1');
  await until(() => errors.length > before + 1);
  isAway = false;
  await until(() => entered.join() === 'ada 1,ada 2');
});

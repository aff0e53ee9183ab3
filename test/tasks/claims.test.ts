import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '../../src/domain/errors.js';
import { Claims, type ClaimsOptions } from '../../src/tasks/claims.js';
import { openStore } from '../../src/stores/open.js';
import type { Store } from '../../src/stores/store.js';
import { alice, prompt } from '../support/hub.js';
import { waitingShell } from '../support/manual-engine.js';
import { manualRegistry } from '../support/served-registry.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const workspace = temporaryFolder();

// The clock stands unless a test moves it, so that no lease runs out because the machine is busy.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const leaseMs = 30;

/** Moves the clock, and waits until these servers have said since then that they live. */
async function pass(ms: number, ...servers: readonly { readonly store: Store }[]): Promise<void> {
  vi.advanceTimersByTime(ms);
  for (const { store } of servers)
    await until(async () =>
      (await store.servers()).some((server) => server.id === store.server && server.leftMs === leaseMs),
    );
}

/** Servers on one file; each knows the others by the store alone. */
function sharedStore() {
  const url = `sqlite:${join(temporaryFolder(), 'tasks.db')}`;
  return async (server: string, options: Partial<ClaimsOptions> = {}) => {
    const store = await openStore(url, { stateDir: '/nowhere', env: {}, server });
    const claims = new Claims({ store, leaseMs: 30_000, onError: () => {}, ...options });
    const lost: [string, AppError][] = [];
    const served = manualRegistry({ workspace, store, claims, onLost: (id, why) => void lost.push([id, why]) });
    const { registry } = served;
    const start = () => claims.start({ onGone: () => void registry.recover(), onLapse: () => registry.review() });
    return { ...served, store, claims, lost, start };
  };
}

const elsewhere = { code: 'task-elsewhere' };

test('a task of a server that lives is not touched by another one, and its address is told if it may be', async () => {
  const newServer = sharedStore();
  const ada = await newServer('ada', { url: 'http://ada/' });
  await ada.start();
  const session = await ada.registry.open('one');
  session.submit(prompt('go'));
  ada.engine('one').report({ type: 'tool', call: waitingShell() });
  await session.stored();

  const bob = await newServer('bob');
  await bob.start();
  expect(await bob.registry.recover()).toBe(0);
  const asked = bob.registry.get('one');
  await expect(asked).rejects.toMatchObject({ ...elsewhere, details: { taskId: 'one', url: 'http://ada/' } });
  const { details } = await asked.then(
    () => new AppError('internal', 'it was given'),
    (error: AppError) => error,
  );
  expect(details['retryAfter']).toBeGreaterThan(20);
  await expect(bob.registry.open('one')).rejects.toMatchObject(elsewhere);
  await expect(bob.registry.remove('one')).rejects.toMatchObject(elsewhere);
  const seen = await bob.registry.view('one');
  expect(seen?.snapshot).toEqual(session.snapshot);
  expect([...bob.registry.all()]).toEqual([]);
  expect(await bob.registry.describe('one')).toMatchObject({ state: 'input-required' });
  expect(session.state).toBe('input-required');

  // A server that stops gives its tasks away at once, questions and all.
  await ada.registry.close(0);
  const taken = await bob.registry.get('one');
  expect(taken?.snapshot).toMatchObject({ state: 'input-required', pending: [{ id: 'call-1' }] });
  await bob.registry.close(0);
});

test('a task that was unloaded is for the first server that asks', async () => {
  const newServer = sharedStore();
  const [ada, bob] = [await newServer('ada'), await newServer('bob')];
  await Promise.all([ada.start(), bob.start()]);
  const session = await ada.registry.open('one');
  await expect(bob.registry.get('one')).rejects.toMatchObject(elsewhere);
  await session.stored();
  await ada.registry.close(0);
  const both = await Promise.all([bob.registry.open('one'), bob.registry.open('one')]);
  expect(both[0]).toBe(both[1]);
  await bob.registry.close(0);
});

test('when a server is not heard of any more, another one takes up what it left without being asked', async () => {
  const newServer = sharedStore();
  const ada = await newServer('ada');
  await ada.store.saveServer({ leaseMs: 2 * leaseMs });
  const session = await ada.registry.open('one');
  session.submit(prompt('go'));
  ada.engine('one').report({ type: 'tool', call: waitingShell() });
  await session.stored();

  const bob = await newServer('bob', { leaseMs });
  await bob.start();
  expect(await bob.registry.recover()).toBe(0);
  await expect(bob.registry.get('one')).rejects.toMatchObject(elsewhere);
  // Not in one go: a server that was silent itself does not judge others.
  for (const _third of [1, 2, 3]) await pass(leaseMs, bob);
  await until(() => bob.engines.has('one'));
  expect((await bob.registry.get('one'))?.snapshot).toMatchObject({ pending: [{ id: 'call-1' }] });
  expect((await bob.store.servers()).map(({ id }) => id)).toEqual(['bob']);
  await bob.registry.close(0);
  await ada.registry.close(0);
});

test('what a server that lost its task still does is refused, its session ends, and the new one goes on', async () => {
  const newServer = sharedStore();
  const [ada, bob] = [await newServer('ada'), await newServer('bob', { isDead: (server) => server === 'ada' })];
  await Promise.all([ada.start(), bob.start()]);
  const session = await ada.registry.open('one');
  session.submit(prompt('go'));
  ada.engine('one').report({ type: 'tool', call: waitingShell() });
  await session.stored();
  const told: string[] = [];
  session.subscribe(({ type }) => told.push(type));

  const taken = await bob.registry.get('one');
  taken?.answer('call-1', { optionId: 'proceed_once' }, alice);
  await taken?.stored();
  session.answer('call-1', { optionId: 'proceed_once' }, alice);
  await expect(session.stored()).rejects.toMatchObject(elsewhere);
  await until(() => ada.engine('one').isDisposed);
  expect(ada.engine('one').answered).toEqual([]);
  expect(told).toEqual([]);
  expect(ada.lost).toMatchObject([['one', elsewhere]]);
  expect(session.ended.reason).toMatchObject(elsewhere);
  await expect(ada.registry.get('one')).rejects.toMatchObject(elsewhere);

  bob.engine('one').end();
  await taken?.stored();
  await bob.registry.close(0);
  const again = await ada.registry.get('one');
  expect(again).toMatchObject({ state: 'completed', seq: taken?.seq });
  again?.submit(prompt('and now'));
  await again?.stored();
  await ada.registry.close(0);
});

test('after a pause longer than the lease a server lets go of what was taken from it, and keeps the rest', async () => {
  const newServer = sharedStore();
  const ada = await newServer('ada', { leaseMs });
  await ada.start();
  for (const id of ['taken', 'kept']) await ada.registry.open(id);
  const bob = await newServer('bob', { isDead: () => true });
  await bob.start();
  await bob.registry.get('taken');
  expect(ada.lost).toEqual([]);
  await pass(leaseMs + 1, ada);
  await until(() => ada.lost.length > 0);
  expect(ada.lost.map(([id]) => id)).toEqual(['taken']);
  expect([...ada.registry.all()].map(({ id }) => id)).toEqual(['kept']);
  await bob.registry.close(0);
  await ada.registry.close(0);
});

test('a server that was not heard of itself first lets the others speak', async () => {
  const newServer = sharedStore();
  const [ada, bob] = [await newServer('ada', { leaseMs }), await newServer('bob', { leaseMs })];
  await Promise.all([ada.start(), bob.start()]);
  await ada.registry.open('one');
  // The store was away for everybody: both leases have run out.
  vi.advanceTimersByTime(leaseMs + 1);
  await expect(bob.registry.get('one')).rejects.toMatchObject(elsewhere);
  for (const ms of [0, leaseMs / 2, leaseMs / 2, leaseMs / 2]) {
    await pass(ms, ada, bob);
    await expect(bob.registry.get('one')).rejects.toMatchObject(elsewhere);
  }
  expect(ada.lost).toEqual([]);
  await ada.registry.close(0);
  await bob.registry.close(0);
});

test('why a turn failed here is not said of a later turn that another server ran', async () => {
  const newServer = sharedStore();
  const [ada, bob] = [await newServer('ada'), await newServer('bob', { isDead: (server) => server === 'ada' })];
  await Promise.all([ada.start(), bob.start()]);
  const session = await ada.registry.open('one');
  session.submit(prompt('go'));
  await session.stored();
  // The store refuses an event, and before it is back another server has the task.
  const working = { ...ada.store };
  const broken = new AppError('store-unavailable', 'the disk is full');
  Object.assign(ada.store, { append: () => Promise.reject(broken) });
  let [isBack, reads] = [false, 0];
  Object.assign(ada.store, {
    task(id: string) {
      if (!isBack) return Promise.reject(broken);
      reads++;
      return working.task(id);
    },
  });
  ada.engine('one').say('lost');
  await until(() => ada.engine('one').isDisposed);
  const taken = await bob.registry.get('one');
  bob.engine('one').end();
  taken?.submit(prompt('next'));
  await taken?.stored();
  isBack = true;
  Object.assign(ada.store, { append: (...given: Parameters<Store['append']>) => working.append(...given) });
  // It tries by itself to load the task again, and learns that it is elsewhere.
  await until(() => reads > 0);
  await expect(ada.registry.get('one')).rejects.toMatchObject(elsewhere);
  await bob.registry.close(0);
  expect((await ada.registry.get('one'))?.state).toBe('working');
  await ada.registry.close(0);
});

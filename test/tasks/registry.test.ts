import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite.js';
import type { Store, StoredTask } from '../../src/stores/store.js';
import { memoryStore } from '../../src/stores/memory.js';
import { alice, prompt } from '../support/hub.js';
import { waitingShell } from '../support/manual-engine.js';
import { manualRegistry } from '../support/served-registry.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const workspace = temporaryFolder();
const database = (): string => join(temporaryFolder(), 'tasks.db');

test('two who ask for the same task at once get the same session', async () => {
  const { registry } = manualRegistry({ workspace, store: memoryStore() });
  const [first, second] = await Promise.all([registry.open('one'), registry.open('one')]);
  expect(first).toBe(second);
  expect((await registry.list({ limit: 10 })).tasks.map(({ id }) => id)).toEqual(['one']);
  await registry.close(0);
});

test('a task that nobody uses is unloaded and comes back as it was, the same message still being one message', async () => {
  const { registry, engine } = manualRegistry({ workspace, store: await openSqliteStore(database()), idleMs: 30 });
  const session = await registry.open('one');
  const { turnId } = session.submit({ ...prompt('hello'), messageId: 'm-1' });
  const first = engine('one');
  first.say('Hello there');
  first.end();
  await session.stored();
  await until(() => first.isDisposed);
  expect([...registry.all()]).toEqual([]);

  const again = await registry.ofTurn(turnId);
  expect(again).not.toBe(session);
  expect(again).toMatchObject({ id: 'one', state: 'completed', seq: session.seq });
  expect(again?.submit({ ...prompt('hello'), messageId: 'm-1' })).toMatchObject({ turnId, duplicate: true });
  await registry.close(0);
});

test('a task that is watched, or that waits for an answer, stays', async () => {
  const { registry, engine } = manualRegistry({ workspace, store: memoryStore(), idleMs: 30 });
  const watched = await registry.open('watched');
  const unwatch = watched.subscribe(() => {});
  const asking = await registry.open('asking');
  asking.submit(prompt('go'));
  engine('asking').report({ type: 'tool', call: waitingShell() });
  // The task that was used last is unloaded last.
  await registry.open('idle');
  await until(() => engine('idle').isDisposed);
  expect([...registry.all()].map(({ id }) => id)).toEqual(['watched', 'asking']);
  unwatch();
  await until(() => engine('watched').isDisposed);
  expect([...registry.all()].map(({ id }) => id)).toEqual(['asking']);
  await registry.close(0);
});

test('at the limit an idle task makes room; when none is idle the next one is refused with a sentence', async () => {
  const { registry, engine } = manualRegistry({ workspace, store: memoryStore(), maxLoaded: 2 });
  await registry.open('idle');
  (await registry.open('busy')).submit(prompt('go'));
  (await registry.open('third')).submit(prompt('go'));
  expect(engine('idle').isDisposed).toBe(true);
  await expect(registry.open('fourth')).rejects.toThrow('2 tasks are in use, which is the limit');
  await registry.close(0);
});

test('after a restart questions, queued prompts and running turns are taken up', async () => {
  const file = database();
  const before = manualRegistry({ workspace, store: await openSqliteStore(file) });
  const session = await before.registry.open('one');
  session.submit(prompt('first'));
  session.submit({ ...prompt('second'), messageId: 'm-2' });
  before.engine('one').report({ type: 'tool', call: waitingShell() });
  await session.stored();
  await before.registry.close(0);

  const after = manualRegistry({ workspace, store: await openSqliteStore(file) });
  expect(await after.registry.recover()).toBe(1);
  const again = await after.registry.get('one');
  expect(again?.snapshot).toMatchObject({ state: 'input-required', pending: [{ id: 'call-1' }] });
  expect(again?.queued).toBe(1);
  again?.answer('call-1', { optionId: 'proceed_once' }, alice);
  await until(() => after.engine('one').answered.length === 1);
  after.engine('one').end();
  await until(() => after.engine('one').started.length === 1);
  expect(after.engine('one').started[0]).toMatchObject({ text: 'second', messageId: 'm-2' });
  await after.registry.close(0);
});

test('a task that is removed is gone with all it kept', async () => {
  const store = memoryStore();
  const { registry, engine } = manualRegistry({ workspace, store });
  const session = await registry.open('one');
  session.submit(prompt('go'));
  engine('one').end();
  expect(await registry.remove('one')).toBe(true);
  expect(await registry.get('one')).toBeUndefined();
  expect(await store.read('one', 0, 10)).toEqual([]);
  expect(await registry.remove('one')).toBe(false);
  await registry.close(0);
});

test('nobody gets tools without questions unless the server allows it', async () => {
  const strict = manualRegistry({ workspace, store: memoryStore() });
  await expect(strict.registry.open('one', { autoExecute: true })).rejects.toThrow('--allow-auto-execute');
  const open = manualRegistry({ workspace, store: memoryStore(), mayAutoExecute: true });
  await open.registry.open('one', { autoExecute: true });
  expect(open.engine('one').request.autoExecute).toBe(true);
});

test('the server answers by its policy: allowed tools at once, others with no when nobody did in time', async () => {
  const policy = { allow: ['run_shell_command'], denyAfterMs: 50 };
  const { registry, engine } = manualRegistry({ workspace, store: memoryStore(), policy });
  const session = await registry.open('one');
  session.submit(prompt('go'));
  engine('one').report({ type: 'tool', call: waitingShell('listed') });
  engine('one').report({ type: 'tool', call: { ...waitingShell('other'), name: 'write_file' } });
  await until(() => engine('one').answered.length === 2);
  expect(engine('one').answered).toEqual([
    { callId: 'listed', answer: { optionId: 'proceed_once' } },
    { callId: 'other', answer: { optionId: 'cancel' } },
  ]);
  const resolvedBy = session
    .eventsAfter(0)
    .flatMap((event) => (event.type === 'tool' ? [event.call.resolution?.by.client] : []));
  expect(resolvedBy).toEqual(expect.arrayContaining(['allow-list', 'timeout']));
  await registry.close(0);
});

test('a task that is only stored can be read without being opened', async () => {
  const file = database();
  const before = manualRegistry({ workspace, store: await openSqliteStore(file) });
  const session = await before.registry.open('one');
  const { turnId } = session.submit(prompt('hello'));
  before.engine('one').end();
  await before.registry.close(0);
  const store = await openSqliteStore(file);
  const { registry } = manualRegistry({ workspace, store });
  expect(await registry.view('one')).toMatchObject({ id: 'one', state: 'completed', snapshot: session.snapshot });
  expect(await registry.view('none')).toBeUndefined();
  expect((await registry.turns({ limit: 1 })).turns).toMatchObject([{ id: turnId, state: 'completed' }]);
  expect([[...registry.all()], await store.holder('one')]).toEqual([[], undefined]);
  await registry.close(0);
});

test('a task is created although others ask for it at the same time and find nothing', async () => {
  const { registry } = manualRegistry({ workspace, store: memoryStore() });
  // One of them asks in the very moment between looking for the task and creating it.
  const ask = async (ticks: number): Promise<void> => {
    for (let i = 0; i < ticks; i++) await Promise.resolve();
    await registry.get('new');
  };
  const [created] = await Promise.all([registry.open('new'), ...Array.from({ length: 60 }, (_, ticks) => ask(ticks))]);
  expect(created.id).toBe('new');
  await registry.close(0);
});

test('who will send a prompt need not wait until the new task is stored; everybody else does', async () => {
  const store = memoryStore();
  let letStore = (): void => {};
  const mayStore = new Promise<void>((resolve) => (letStore = resolve));
  const createTask = (task: StoredTask): Promise<void> => mayStore.then(() => store.createTask(task));
  const { registry } = manualRegistry({ workspace, store: { ...store, createTask } });
  const created: string[] = [];
  registry.onChange(({ task }) => created.push(task.id));
  const order: string[] = [];
  const others = registry.open('one').then(() => order.push('others'));
  await registry.open('one', { promptFollows: true });
  order.push('who prompts');
  expect(created).toEqual([]);
  letStore();
  await others;
  expect(order).toEqual(['who prompts', 'others']);
  expect(created).toEqual(['one']);
  await registry.close(0);
});

test('a listener that fails when a new task is stored is reported', async () => {
  const errors: unknown[] = [];
  const { registry } = manualRegistry({ workspace, store: memoryStore(), onError: (error) => errors.push(error) });
  const failure = new Error('a listener failed');
  registry.onChange(() => {
    throw failure;
  });
  await registry.open(undefined, { promptFollows: true });
  await until(() => errors.length > 0);
  expect(errors).toEqual([failure]);
});

test('a task whose record cannot be stored does not exist, and its prompt is refused', async () => {
  const file = database();
  const store = await openSqliteStore(file);
  const claim: Store['claim'] = async (...about) => {
    const epoch = await store.claim(...about);
    renameSync(file, `${file}-away`);
    return epoch;
  };
  const lost: string[] = [];
  const onLost = (id: string): void => void lost.push(id);
  const { registry } = manualRegistry({ workspace, store: { ...store, claim }, onLost, onError: () => {} });
  await expect(registry.open('waits')).rejects.toThrow('the file of the store was deleted or replaced');
  renameSync(`${file}-away`, file);
  const session = await registry.open('goes on', { promptFollows: true });
  await expect(session.send(prompt('hello'))).rejects.toThrow('the file of the store was deleted or replaced');
  await until(() => registry.counts.loaded === 0);
  renameSync(`${file}-away`, file);
  expect(await registry.list({ limit: 10 })).toMatchObject({ tasks: [] });
  expect(lost).toEqual(['waits', 'goes on']);
  await registry.close(0);
});

test('two who delete a task at once delete no task that is created with its id between them', async () => {
  const letGo: (() => void)[] = [];
  const forget = () => new Promise<void>((resolve) => letGo.push(resolve));
  const { registry } = manualRegistry({ workspace, store: memoryStore(), forget });
  await registry.open('one');
  const [first, second] = [registry.remove('one'), registry.remove('one')];
  await until(() => letGo.length === 2);
  letGo[0]?.();
  await first;
  let isCreated = false;
  const created = registry.open('one').finally(() => (isCreated = true));
  // It has every chance to be created too early: nothing else is under way.
  for (let i = 0; i < 100; i++) await new Promise(setImmediate);
  expect(isCreated).toBe(false);
  letGo[1]?.();
  await Promise.all([second, created]);
  expect(await registry.describe('one')).toMatchObject({ id: 'one' });
  await registry.close(0);
});

test('a task that cannot be unloaded does not keep the others in memory', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const { registry, engine } = manualRegistry({ workspace, store: memoryStore(), idleMs: 20_000, onError });
  await registry.open('stuck');
  engine('stuck').dispose = () => Promise.reject(new Error('stuck'));
  await registry.open('idle');
  vi.setSystemTime(Date.now() + 30_000);
  vi.advanceTimersToNextTimer();
  await until(() => engine('idle').isDisposed);
  expect(errors).toMatchObject([{ message: 'stuck' }]);
  await registry.close(0);
});

test('a deletion whose acknowledgement the store lost, and that is repeated, is a deletion', async () => {
  const store = memoryStore();
  const deleteTask = async (id: string): Promise<boolean> => {
    await store.deleteTask(id);
    return store.deleteTask(id);
  };
  const repeated = { ...store, deleteTask };
  const { registry } = manualRegistry({ workspace, store: repeated });
  await registry.open('one');
  expect(await registry.remove('one')).toBe(true);
  expect(await registry.remove('one')).toBe(false);
  await registry.close(0);
});

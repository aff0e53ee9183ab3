import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import Database from 'libsql';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { DiskSync } from '../../src/stores/sqlite/disk-sync.js';
import { closeJournal, entriesIn, Journal } from '../../src/stores/sqlite/journal.js';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite.js';
import { alreadyStored, type Store } from '../../src/stores/store.js';
import type { Write } from '../../src/stores/shared/write.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { eventOf, longEvent, taskOf } from './samples.js';

const batch = (seq: number): readonly Write[] => [
  { type: 'event', taskId: 't', epoch: 1, seq, body: `"${seq} „ü“ \\ud800"`, isPiece: true },
];

/** A store whose server has the task `t`, and the words of its journal. */
async function holding(file = join(temporaryFolder(), 'tasks.db')) {
  const store = await openSqliteStore(file, 'ada');
  await store.claim('t');
  const folder = `${file}-journals`;
  const words = (): string =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('');
  return { file, folder, store, words };
}

/** What is in the tables, without asking a store. */
function inTables(file: string): unknown[] {
  const database = new Database(file, { readonly: true });
  const rows = database.prepare('select seq from events order by seq').pluck().all();
  database.close();
  return rows;
}

/** A copy of what a crash would leave: nothing is flushed or removed. */
function crashed(file: string): string {
  const copy = join(temporaryFolder(), 'tasks.db');
  for (const end of ['', '-wal', '-journals']) cpSync(`${file}${end}`, `${copy}${end}`, { recursive: true });
  return copy;
}

const seqsOf = async (store: Store): Promise<number[]> => (await store.read('t', 0, 100)).map(({ seq }) => seq);

test('what was appended before the journal was closed counts, and the server learns that the rest does not', () => {
  const folder = temporaryFolder();
  const journal = new Journal(folder, 'one');
  expect([journal.append(batch(1)), journal.append(batch(2))]).toEqual([true, true]);
  closeJournal(join(folder, 'one'));
  expect([journal.append(batch(3)), journal.append(batch(4))]).toEqual([false, false]);
  const entries = entriesIn(readFileSync(join(folder, 'one')), 0);
  expect(entries.map((entry) => entry.batch)).toEqual([batch(1), batch(2)]);
  expect(entriesIn(readFileSync(join(folder, 'one')), entries[0]?.end ?? 0).map((entry) => entry.batch)).toEqual([
    batch(2),
  ]);
});

test('a journal that was removed takes nothing more', () => {
  const folder = temporaryFolder();
  const journal = new Journal(folder, 'one');
  rmSync(join(folder, 'one'));
  expect(journal.append(batch(1))).toBe(false);
});

test.each([
  ['a line that a crash has cut', (bytes: Buffer) => bytes.subarray(0, -3)],
  ['zeros that a power cut has left', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -20), Buffer.alloc(20)])],
  ['a changed character', (bytes: Buffer) => Buffer.from(bytes.toString().replace('"2 ', '"3 '))],
])('%s does not count', (_, damage) => {
  const folder = temporaryFolder();
  const journal = new Journal(folder, 'one');
  journal.append(batch(1));
  journal.append(batch(2));
  const damaged = damage(readFileSync(join(folder, 'one')));
  expect(entriesIn(damaged, 0).map((entry) => entry.batch)).toEqual([batch(1)]);
});

describe('while the tables lag behind', () => {
  // The tables follow when the time comes, which these tests do not let it.
  afterEach(() => void vi.useRealTimers());
  const lagging = () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    return holding();
  };

  test('a piece is in the journal in its tick, and in the tables as soon as somebody reads the task', async () => {
    const { file, store, words } = await lagging();
    expect(store.append(eventOf('t', 1))).toBe(alreadyStored);
    expect(words()).toContain('event 1');
    expect(inTables(file)).toEqual([]);
    expect(await seqsOf(store)).toEqual([1]);
    expect(inTables(file)).toEqual([1]);
    await store.close();
  });

  test('a turn is known before the tables have it', async () => {
    const { file, store } = await lagging();
    await store.append({ ...eventOf('t', 1), type: 'turn', state: 'working' });
    expect(await store.turn('t', 'turn-1')).toMatchObject({ id: 'turn-1', state: 'working', first: 1, last: 1 });
    expect(inTables(file)).toEqual([]);
    await store.close();
  });

  test('a claim of another task leaves to the journal what is in it, a new claim of the same task does not', async () => {
    const { file, store } = await lagging();
    await store.append(eventOf('t', 1));
    await store.claim('u');
    expect(inTables(file)).toEqual([]);
    await store.claim('t');
    expect(inTables(file)).toEqual([1]);
    await store.append(eventOf('t', 2));
    expect(await seqsOf(store)).toEqual([1, 2]);
    await store.close();
  });

  test('what a crashed server had in its journal only is there when the store is opened again', async () => {
    const before = await lagging();
    for (const seq of [1, 2, 3]) void before.store.append(eventOf('t', seq));
    const file = crashed(before.file);
    expect(inTables(file)).toEqual([]);
    const after = await openSqliteStore(file, 'bob');
    expect(await seqsOf(after)).toEqual([1, 2, 3]);
    vi.useRealTimers();
    await until(() => readdirSync(`${file}-journals`).length === 1);
    await Promise.all([before.store.close(), after.close()]);
  });

  test('the journal of another file of the same name does not count', async () => {
    const before = await lagging();
    void before.store.append(eventOf('t', 1));
    const file = crashed(before.file);
    for (const end of ['', '-wal']) rmSync(`${file}${end}`);
    const after = await openSqliteStore(file, 'bob');
    expect(await after.read('t', 0, 10)).toEqual([]);
    expect(await after.holder('t')).toBeUndefined();
    await Promise.all([before.store.close(), after.close()]);
  });
});

test('the tables follow by themselves', async () => {
  const { file, store } = await holding();
  await store.append(eventOf('t', 1));
  await until(() => inTables(file).length === 1);
  await store.close();
});

test('a server whose journal was closed goes on with its tasks', async () => {
  const { file, store } = await holding();
  await store.append(eventOf('t', 1));
  const other = await openSqliteStore(file, 'bob');
  await store.append(eventOf('t', 2));
  expect(await seqsOf(other)).toEqual([1, 2]);
  let seq = 2;
  await until(() => store.append(eventOf('t', ++seq)) === alreadyStored);
  expect((await seqsOf(other)).length).toBe(seq);
  await Promise.all([store.close(), other.close()]);
});

test('if no journal can begin, writes go to SQLite, and nobody reads what may lack a journal', async () => {
  const { folder, store } = await holding();
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'in the way');
  for (const seq of [1, 2, 3]) await store.append(eventOf('t', seq));
  await expect(store.read('t', 0, 10)).rejects.toMatchObject({ code: 'store-unavailable' });
  rmSync(folder);
  expect(await seqsOf(store)).toEqual([1, 2, 3]);
  let seq = 3;
  await until(() => store.append(eventOf('t', ++seq)) === alreadyStored);
  expect((await seqsOf(store)).length).toBe(seq);
  await store.close();
});

test('the words of a deleted task leave the journal', async () => {
  const { store, words } = await holding();
  await store.saveTask(taskOf('t'));
  await store.append(longEvent('t', 1, 'a secret'));
  expect(words()).toContain('a secret');
  await store.deleteTask('t');
  await until(() => !words().includes('a secret'));
  await store.close();
});

test('a journal does not grow for ever, and nothing is lost when it is replaced', async () => {
  const { folder, store } = await holding();
  const [first = ''] = readdirSync(folder);
  const text = 'x'.repeat(300_000);
  let seq = 0;
  await until(async () => {
    await store.append(longEvent('t', ++seq, text));
    return !existsSync(join(folder, first));
  });
  expect((await store.read('t', 0, 1000)).map((event) => event.seq)).toEqual(
    Array.from({ length: seq }, (_, at) => at + 1),
  );
  await store.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('while another program holds the file, a reply goes on', async () => {
  const { file, store } = await holding();
  await store.append(eventOf('t', 1));
  const other = new Database(file);
  other.exec('begin immediate');
  await store.append({ ...eventOf('t', 2), type: 'turn', state: 'working' });
  expect(store.append(eventOf('t', 3))).toBe(alreadyStored);
  const read = seqsOf(store);
  other.exec('rollback');
  other.close();
  expect(await read).toEqual([1, 2, 3]);
  await store.close();
});

test('a server that stops while its journal is replaced leaves none behind', async () => {
  const { folder, store } = await holding();
  await store.saveTask(taskOf('t'));
  await store.deleteTask('t');
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const sync = vi.spyOn(DiskSync.prototype, 'sync').mockImplementationOnce(() => held);
  // SQLite's log is waited for before the next journal begins.
  await until(() => sync.mock.calls.length > 0);
  sync.mockRestore();
  const closed = store.close();
  // A store that does not wait would be closed by now.
  for (let turn = 0; turn < 1000; turn++) await turnOfTheLoop();
  goOn();
  await closed;
  expect(readdirSync(folder)).toEqual([]);
});

test('a line that somebody else has added ends the journal', async () => {
  const { folder, store } = await holding();
  const [name = ''] = readdirSync(folder);
  appendFileSync(join(folder, name), 'anything');
  expect(store.append(eventOf('t', 1))).not.toBe(alreadyStored);
  await until(async () => (await seqsOf(store)).length === 1);
  await store.close();
});

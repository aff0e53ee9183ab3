import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, test, vi } from 'vitest';
import type { SessionEvent } from '../../src/domain/events.js';
import { openStore } from '../../src/stores/open.js';
import { checkpointParts } from '../../src/stores/shared/checkpoint-parts.js';
import { sqliteCommit, waitsForDisk } from '../../src/stores/sqlite/sqlite-commit.js';
import { openConnections } from '../../src/stores/sqlite/sqlite-connections.js';
import { alreadyStored } from '../../src/stores/store.js';
import type { Write } from '../../src/stores/shared/write.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { claimed } from './claimed.js';
import { storeContract } from './contract.js';
import type { Place } from './place.js';
import { eventOf, taskOf } from './samples.js';

const newPlace = async (): Promise<Place> => ({ url: `sqlite:${join(temporaryFolder(), 'tasks.db')}`, env: {} });
storeContract('sqlite', newPlace);
storeContract('sqlite with claimed tasks', newPlace, { as: claimed });

const open = (url: string, stateDir = '/nowhere') => openStore(url, { stateDir, env: {} });

test('without a path the file is in the state folder, and nobody else may read any of it', async () => {
  const stateDir = join(temporaryFolder(), 'state');
  const store = await open('sqlite:', stateDir);
  await store.saveTask(taskOf('t'));
  const modes = readdirSync(stateDir).map((name) => [name, (statSync(join(stateDir, name)).mode & 0o777).toString(8)]);
  expect(modes).toEqual([
    ['tasks.db', '600'],
    ['tasks.db-journals', '700'],
    ['tasks.db-shm', '600'],
    ['tasks.db-wal', '600'],
  ]);
  await store.close();
});

test('the path may be written as in other urls', async () => {
  const file = join(temporaryFolder(), 'tasks.db');
  const store = await open(`sqlite://${file}`);
  expect(statSync(file).isFile()).toBe(true);
  await store.close();
});

test('[003-11.5] everything waits for the disk, except pieces of a reply, claims and what can be rebuilt', () => {
  const under = { taskId: 's', epoch: 0 };
  const event = { type: 'event', ...under, seq: 1, body: '{}' } as const;
  const waits = (write: Write): boolean => waitsForDisk(write);
  expect(waits({ ...event, isPiece: true })).toBe(false);
  expect(waits({ ...event, isPiece: false })).toBe(true);
  expect(waits({ type: 'checkpoint', ...under, ...checkpointParts({}) })).toBe(true);
  expect(waits({ type: 'task', ...under, task: taskOf('s'), body: '{}' })).toBe(true);
  expect(waits({ type: 'delete', ...under })).toBe(true);
  expect(waits({ type: 'claim', taskId: 's' })).toBe(false);
  expect(waits({ type: 'summary', ...under, body: '{}', turns: [] })).toBe(false);
});

test('what is committed is in the log of SQLite, and the wait is for that file', async () => {
  const file = join(temporaryFolder(), 'tasks.db');
  const connections = await openConnections(file);
  const commit = await sqliteCommit(connections, 'one');
  const before = readFileSync(`${file}-wal`).length;
  await commit([{ type: 'event', taskId: 's', epoch: 0, seq: 1, body: '"found in the log"', isPiece: false }]);
  await Promise.all(Array.from({ length: 10 }, () => connections.syncAll()));
  const log = readFileSync(`${file}-wal`);
  expect(log.length).toBeGreaterThan(before);
  expect(log.includes('found in the log')).toBe(true);
  await connections.close();
  // The file it waits for is closed, so nothing is on the disk that it could answer for.
  await expect(connections.syncAll()).rejects.toThrow('EBADF');
});

test('the log of SQLite is moved into the tables while the server runs', async () => {
  const file = join(temporaryFolder(), 'tasks.db');
  const store = await open(`sqlite:${file}`);
  const before = statSync(file).size;
  const body = 'x'.repeat(1_000_000);
  let seq = 0;
  await until(async () => {
    await store.append({ ...eventOf('s', ++seq), type: 'text', text: body });
    return statSync(file).size > before;
  });
  await store.close();
});

describe('a piece of a reply', () => {
  const piece = (seq: number): SessionEvent => ({ ...eventOf('s', seq), type: 'text', text: `piece ${seq}` });

  test('is stored in the tick it comes when nothing is before it, and after what is', async () => {
    const store = await open(`sqlite:${join(temporaryFolder(), 'tasks.db')}`);
    await store.claim('s');
    expect(store.append(piece(1))).toBe(alreadyStored);
    const end: SessionEvent = { ...eventOf('s', 2), type: 'turn', state: 'working' };
    const saved = store.append(end);
    const third = store.append(piece(3));
    expect(third).not.toBe(alreadyStored);
    await Promise.all([saved, third]);
    expect(store.append(piece(4))).toBe(alreadyStored);
    expect(await store.read('s', 0, 10)).toEqual([piece(1), end, piece(3), piece(4)]);
    await store.close();
  });

  test('waits while another process writes', async () => {
    const file = join(temporaryFolder(), 'tasks.db');
    const store = await open(`sqlite:${file}`);
    const code = `
      const other = new (require('libsql'))(${JSON.stringify(file)});
      other.exec('begin immediate');
      console.log('writing');
      process.stdin.once('end', () => other.exec('commit')).resume();`;
    const other = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(other.stdout, 'data');
    const stored = store.append(piece(1));
    expect(stored).not.toBe(alreadyStored);
    other.stdin.end();
    await stored;
    expect(await store.read('s', 0, 10)).toEqual([piece(1)]);
    await store.close();
  });

  test('does not take the place of another, nor do those behind it', async () => {
    const file = join(temporaryFolder(), 'tasks.db');
    const [one, two] = [await open(`sqlite:${file}`), await open(`sqlite:${file}`)];
    await one.append(piece(1));
    await expect(two.append(piece(1))).rejects.toThrow('another server has taken over this task');
    await expect(two.append(piece(2))).rejects.toThrow('an earlier event of this task was lost');
    expect(await one.read('s', 0, 10)).toEqual([piece(1)]);
    await one.close();
    await two.close();
  });
});

test('a burst of 10,000 events is stored while the event loop goes on', async () => {
  const store = await open(`sqlite:${join(temporaryFolder(), 'tasks.db')}`);
  let isStored = false;
  let turns = 0;
  const count = (): void => {
    turns++;
    if (!isStored) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(Array.from({ length: 10_000 }, (_, index) => store.append(eventOf('s', index + 1))));
  isStored = true;
  expect(await store.read('s', 9_998, 10)).toEqual([eventOf('s', 9_999), eventOf('s', 10_000)]);
  // At least one for each transaction, which holds a thousand.
  expect(turns).toBeGreaterThanOrEqual(10);
  await store.close();
});

test('a page of 10,000 tasks is found by an index, whatever it is filtered by', async () => {
  const file = join(temporaryFolder(), 'tasks.db');
  const store = await open(`sqlite:${file}`);
  await Promise.all(
    Array.from({ length: 10_000 }, (_, minute) => store.saveTask(taskOf(`task-${minute}`, { minute }))),
  );
  const database = new Database(file);
  const plansOf = async (list: () => Promise<unknown>): Promise<string[]> => {
    const prepare = vi.spyOn(Database.prototype, 'prepare');
    await list();
    const statements = prepare.mock.calls.map(([sql]) => sql);
    prepare.mockRestore();
    return statements.map((sql) => JSON.stringify(database.prepare(`explain query plan ${sql}`).all()));
  };
  const plans = await plansOf(() => store.tasks({ limit: 50 }));
  expect(plans).toEqual([expect.stringContaining('USING'), expect.stringContaining('USING INDEX')]);
  expect(plans.join()).not.toContain('TEMP B-TREE');
  const searches = { limit: 50, state: 'failed', owner: 'ada', contextId: 'context' } as const;
  for (const name of ['state', 'owner', 'contextId'] as const) {
    const [count, rows] = await plansOf(() => store.tasks({ limit: 50, [name]: searches[name] }));
    expect(count).toContain('SEARCH tasks USING COVERING INDEX');
    expect(rows).toContain('SEARCH tasks USING INDEX');
  }
  const [count, rows] = await plansOf(() => store.turns({ limit: 50, states: ['working', 'failed'] }));
  expect(count).toContain('SEARCH turns USING COVERING INDEX');
  expect(rows).toContain('SEARCH turns USING INDEX');
  expect([count, rows].join()).not.toContain('SCAN turns');
  database.close();
  const page = await store.tasks({ limit: 50 });
  expect(page.tasks.map(({ id }) => id).slice(0, 2)).toEqual(['task-9999', 'task-9998']);
  expect(page.total).toBe(10_000);
  await store.close();
});

test('a database of a newer cosession is left alone, unless that says that older ones may use it', async () => {
  const file = join(temporaryFolder(), 'tasks.db');
  await (await open(`sqlite:${file}`)).close();
  const database = new Database(file);
  database.exec("insert into migrations values (99, 'tomorrow'); insert into compatibility values (99, 98)");
  await expect(open(`sqlite:${file}`)).rejects.toThrow(
    `the store ${file} cannot be opened: it was created by a newer cosession (schema 99, needs at least 98; this one has 9)`,
  );
  database.exec('update compatibility set since = 4');
  await (await open(`sqlite:${file}`)).close();
  database.close();
});

test('checkpoints of older servers can be read, and they cannot take ours for whole ones', async () => {
  const file = join(temporaryFolder(), 'tasks.db');
  const store = await open(`sqlite:${file}`);
  const database = new Database(file);
  database.exec(`insert into checkpoints (task_id, body) values ('t', '{"version":1,"history":["a"]}')`);
  expect(await store.checkpoint('t')).toEqual({ version: 1, history: ['a'] });
  await store.saveCheckpoint('t', { version: 1, history: ['a', 'b'] });
  const body = database.prepare('select body from checkpoints').pluck().get();
  expect(() => JSON.parse(String(body)) as unknown).toThrow(SyntaxError);
  // An older server that was running when the tables changed replaces the body only.
  database.exec(`update checkpoints set body = '{"version":1,"history":["c"]}'`);
  expect(await store.checkpoint('t')).toEqual({ version: 1, history: ['c'] });
  database.close();
  await store.close();
});

test('what cannot be opened is told in one sentence', async () => {
  const folder = temporaryFolder();
  const text = join(folder, 'text.db');
  writeFileSync(text, 'this is not a database, but long enough to look at. '.repeat(100));
  await expect(open(`sqlite:${text}`)).rejects.toThrow(`the store ${text} cannot be opened: file is not a database`);
  await expect(open(`sqlite:${text}/below`)).rejects.toThrow(
    /^the store .* cannot be opened: E(EXIST|NOTDIR): [^\n]*$/,
  );
  await expect(open(`sqlite:${folder}`)).rejects.toThrow(/cannot be opened: EISDIR: /);
});

test.each(['', 'sqlite', 'mysql://host/db', '/a/path'])('%j is no store', async (url) => {
  await expect(open(url)).rejects.toThrow('--store must be one of memory:, sqlite:');
});

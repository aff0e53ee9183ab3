import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AppError } from '../../src/domain/errors.js';
import type { SessionEvent } from '../../src/domain/events.js';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite.js';
import type { Store } from '../../src/stores/store.js';
import { fc } from '../support/properties.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventOf, taskOf } from './samples.js';

const taskIds = ['s', 't'] as const;
type TaskId = (typeof taskIds)[number];

const step = fc.record({
  server: fc.nat(2),
  taskId: fc.constantFrom(...taskIds),
  action: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('piece', 'event') },
    { weight: 3, arbitrary: fc.constantFrom('claim', 'take over') },
    {
      weight: 2,
      arbitrary: fc.constantFrom('checkpoint', 'record', 'release', 'read all', 'delete', 'leave', 'vanish'),
    },
  ),
});
type Step = { server: number; taskId: TaskId; action: string };

/** What every server must find, whoever stored it. */
type Truth = { log: SessionEvent[]; record?: number; checkpoint?: number; holder?: Store };

/** A server in this process, and where it believes the logs of its tasks end. */
type Server = { store: Store; readonly ends: Map<TaskId, number> };

/**
 * Three servers on one file take tasks from each other, come and go. Whatever one of them has acknowledged, all of them find at
 * once; whatever is refused, none of them ever finds.
 */
class Servers {
  readonly #file = join(temporaryFolder(), 'tasks.db');
  readonly #truth: Record<TaskId, Truth> = { s: { log: [] }, t: { log: [] } };
  readonly #servers: Server[] = [];
  readonly #gone: Store[] = [];
  #number = 0;

  async open(): Promise<this> {
    for (let place = 0; place < 3; place++) this.#servers[place] = await this.#newServer();
    return this;
  }

  async #newServer(): Promise<Server> {
    return { store: await openSqliteStore(this.#file, `server ${++this.#number}`), ends: new Map() };
  }

  async run({ server: place, taskId, action }: Step): Promise<void> {
    const server = this.#servers[place];
    if (!server) throw new Error(`no server ${place}`);
    const { store, ends } = server;
    const truth = this.#truth[taskId];
    const number = ++this.#number;
    // A task that was never claimed is for everybody.
    const isWrite = action === 'checkpoint' || action === 'record';
    if (isWrite && !ends.has(taskId)) return;
    switch (action) {
      case 'piece':
      case 'event':
        return this.#append(server, taskId, action === 'piece');
      case 'checkpoint':
        if (await isKept(store.saveCheckpoint(taskId, number), truth.holder === store)) truth.checkpoint = number;
        return;
      case 'record':
        if (await isKept(store.saveTask(recordOf(taskId, number)), truth.holder === store)) truth.record = number;
        return;
      case 'claim':
      case 'take over': {
        const from = action === 'claim' ? undefined : truth.holder?.server;
        const epoch = await store.claim(taskId, from);
        const isFree = truth.holder === undefined || truth.holder === store || from !== undefined;
        expect(epoch !== undefined, `${action} by ${store.server}`).toBe(isFree);
        if (epoch === undefined) return;
        truth.holder = store;
        ends.set(taskId, (await store.read(taskId, 0, 1000)).length);
        return;
      }
      case 'release':
        if (truth.holder !== store) return;
        delete truth.holder;
        return store.release(taskId);
      case 'delete':
        if (truth.holder !== store) return;
        await store.deleteTask(taskId);
        this.#truth[taskId] = { log: [] };
        ends.delete(taskId);
        return;
      case 'leave':
        // As a server that stops: what it has is released first.
        for (const id of taskIds)
          if (this.#truth[id].holder === store) await this.run({ server: place, taskId: id, action: 'release' });
        await store.close();
        this.#servers[place] = await this.#newServer();
        return;
      case 'vanish':
        // As one that is paused, and taken for dead.
        this.#gone.push(store);
        this.#servers[place] = await this.#newServer();
        return;
      default:
        await store.tasks({ limit: 10 });
    }
  }

  async #append({ store, ends }: Server, taskId: TaskId, isPiece: boolean): Promise<void> {
    const truth = this.#truth[taskId];
    const end = ends.get(taskId);
    if (end === undefined) return;
    const piece = { ...eventOf(taskId, end + 1), text: `by ${store.server}, ${++this.#number}` };
    const event: SessionEvent = isPiece
      ? piece
      : { ...eventOf(taskId, end + 1), type: 'turn', state: 'working', at: String(this.#number) };
    if (!(await isKept(store.append(event), truth.holder === store))) return;
    ends.set(taskId, end + 1);
    truth.log.push(event);
  }

  async check(): Promise<void> {
    for (const { store } of this.#servers)
      for (const taskId of taskIds) {
        const { log, record, checkpoint } = this.#truth[taskId];
        expect(await store.read(taskId, 0, 1000)).toEqual(log);
        expect((await store.task(taskId))?.metadata['number']).toBe(record);
        expect(await store.checkpoint(taskId)).toBe(checkpoint);
        const turn = log.findLast(({ type }) => type === 'turn');
        expect((await store.turn(taskId, 'turn-1'))?.last).toBe(turn?.seq);
      }
  }

  async close(): Promise<void> {
    for (const store of [...this.#gone, ...this.#servers.map((server) => server.store)]) await store.close();
  }
}

function recordOf(taskId: TaskId, number: number) {
  return taskOf(taskId, { metadata: { number } });
}

/** Whether it was acknowledged: if and only if its server holds the task. */
async function isKept(write: Promise<void>, isHolder: boolean): Promise<boolean> {
  const outcome = await write.then(
    () => true,
    (error: unknown) => {
      expect(error).toBeInstanceOf(AppError);
      return false;
    },
  );
  if (!isHolder) expect(outcome).toBe(false);
  return outcome;
}

test('what a server acknowledges is found by all at once, whoever takes its tasks, and what is refused by none', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const servers = await new Servers().open();
      try {
        for (const each of steps) {
          await servers.run(each);
          await servers.check();
        }
      } finally {
        await servers.close();
      }
    }),
    { numRuns: 60 },
  );
});

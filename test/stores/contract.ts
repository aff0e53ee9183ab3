import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store, StoredArtifact, TaskQuery } from '../../src/stores/store.js';
import { claimsContract } from './claims.js';
import { durabilityContract } from './durability.js';
import { openPlace, type Place } from './place.js';
import { artifactOf, eventOf, longEvent, taskOf } from './samples.js';
import { turnsContract } from './turns.js';

/** What every store must do. Called once per implementation. `as`: what the server makes of its store. */
export function storeContract(
  name: string,
  newPlace: () => Promise<Place>,
  { isDurable = true, as = (store: Store) => store } = {},
): void {
  describe(`${name} keeps the store contract`, () => {
    let place: Place;
    let store: Store;
    beforeEach(async () => {
      place = await newPlace();
      store = as(await openPlace(place));
    });
    afterEach(() => store.close());

    const fill = (sessionId: string, count: number): Promise<void[]> =>
      Promise.all(Array.from({ length: count }, (_, index) => store.append(eventOf(sessionId, index + 1))));
    const seqs = async (sessionId: string, after: number, limit: number): Promise<number[]> =>
      (await store.read(sessionId, after, limit)).map(({ seq }) => seq);

    test('what a server counts on a day is replaced by what it counts later, and forgotten after that day', async () => {
      const other = isDurable ? await openPlace(place) : store;
      await store.saveUsage('2026-11-16', { ada: 1 });
      await store.saveUsage('2026-11-17', { ada: 1, 'oidc:https://x/y': 2 });
      await store.saveUsage('2026-11-17', { ada: 2, 'oidc:https://x/y': 2 });
      const own = { server: store.server, body: { ada: 2, 'oidc:https://x/y': 2 } };
      expect(await other.usage('2026-11-17')).toEqual([own]);
      expect(await other.usage('2026-11-16')).toEqual([]);
      if (!isDurable) return;
      await other.saveUsage('2026-11-17', { bob: 1 });
      const all = await store.usage('2026-11-17');
      expect(all).toHaveLength(2);
      expect(all).toEqual(expect.arrayContaining([own, { server: other.server, body: { bob: 1 } }]));
      await other.close();
    });

    describe('events', () => {
      test('come back whole and in order', async () => {
        await fill('a', 3);
        expect(await store.read('a', 0, 10)).toEqual([eventOf('a', 1), eventOf('a', 2), eventOf('a', 3)]);
      });

      test('a read starts after the cursor and stops at the limit', async () => {
        await fill('a', 10);
        expect(await seqs('a', 4, 3)).toEqual([5, 6, 7]);
        await store.append(eventOf('a', 11));
        expect(await seqs('a', 9, 5)).toEqual([10, 11]);
      });

      test('sessions do not see each other, and an unknown one is empty', async () => {
        await fill('a', 2);
        await fill('b', 1);
        await fill('a/b', 3);
        expect(await seqs('b', 0, 10)).toEqual([1]);
        expect(await seqs('a', 0, 10)).toEqual([1, 2]);
        expect(await store.read('c', 0, 10)).toEqual([]);
      });

      test('a cursor at or beyond the end reads nothing', async () => {
        await fill('a', 2);
        expect(await store.read('a', 2, 10)).toEqual([]);
        expect(await store.read('a', 99, 10)).toEqual([]);
      });

      test('a megabyte of text, control characters and broken unicode survive', async () => {
        const event = longEvent('a', 1, `${'„ü“🐝'.repeat(150_000)}\u0000\ud800\u001b[31m`);
        await store.append(event);
        expect(await store.read('a', 0, 10)).toEqual([event]);
      });

      test('many sessions write at the same time', async () => {
        const sessions = Array.from({ length: 50 }, (_, index) => `session-${index}`);
        await Promise.all(sessions.map((session) => fill(session, 40)));
        for (const session of sessions) {
          expect(await seqs(session, 0, 100)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
        }
      });
    });

    describe('tasks', () => {
      const pagesOf = async (query: TaskQuery): Promise<string[][]> => {
        const pages: string[][] = [];
        for (let token: string | undefined; ;) {
          const page = await store.tasks({ ...query, ...(token === undefined ? {} : { pageToken: token }) });
          pages.push(page.tasks.map(({ id }) => id));
          token = page.nextPageToken;
          if (token === undefined) return pages;
        }
      };

      test('a task is saved, replaced and found by its id', async () => {
        const task = taskOf('t', { owner: 'ada', metadata: { title: '„ü“ 🐝', nested: { list: [1, null, true] } } });
        await store.saveTask(task);
        expect(await store.task('t')).toEqual(task);
        await store.saveTask({ ...task, state: 'completed' });
        expect(await store.task('t')).toEqual({ ...task, state: 'completed' });
        expect(await store.task('unknown')).toBeUndefined();
      });

      test('pages are newest first, the id decides between equals, and tell how many there are', async () => {
        await store.saveTask(taskOf('old', { minute: 1 }));
        await store.saveTask(taskOf('b', { minute: 2 }));
        await store.saveTask(taskOf('a', { minute: 2 }));
        await store.saveTask(taskOf('new', { minute: 3 }));
        expect(await pagesOf({ limit: 3 })).toEqual([['new', 'a', 'b'], ['old']]);
        expect(await pagesOf({ limit: 2 })).toEqual([
          ['new', 'a'],
          ['b', 'old'],
        ]);
        expect((await store.tasks({ limit: 1 })).total).toBe(4);
      });

      test('a page stays what it was while tasks are added', async () => {
        for (const minute of [1, 2, 3, 4]) await store.saveTask(taskOf(`t${minute}`, { minute }));
        const { tasks, nextPageToken = '' } = await store.tasks({ limit: 2 });
        expect(tasks.map(({ id }) => id)).toEqual(['t4', 't3']);
        await store.saveTask(taskOf('t5', { minute: 5 }));
        const next = await store.tasks({ limit: 2, pageToken: nextPageToken });
        expect(next.tasks.map(({ id }) => id)).toEqual(['t2', 't1']);
        expect(next.nextPageToken).toBeUndefined();
      });

      test('filters narrow the pages and the total', async () => {
        await store.saveTask(taskOf('1', { minute: 1, owner: 'ada', contextId: 'x', state: 'completed' }));
        await store.saveTask(taskOf('2', { minute: 2, owner: 'ada', contextId: 'y' }));
        await store.saveTask(taskOf('3', { minute: 3, owner: 'bob', contextId: 'x' }));
        await store.saveTask(taskOf('4', { minute: 4, contextId: 'x' }));
        expect(await pagesOf({ limit: 9, owner: 'ada' })).toEqual([['2', '1']]);
        expect(await pagesOf({ limit: 9, contextId: 'x' })).toEqual([['4', '3', '1']]);
        expect(await pagesOf({ limit: 1, contextId: 'x', state: 'working' })).toEqual([['4'], ['3']]);
        expect(await pagesOf({ limit: 9, owner: 'nobody' })).toEqual([[]]);
        expect(await pagesOf({ limit: 9, updatedSince: taskOf('', { minute: 3 }).updatedAt })).toEqual([['4', '3']]);
        expect((await store.tasks({ limit: 1, contextId: 'x' })).total).toBe(3);
      });

      test.each(['nonsense', '', 'WyJhIl0', Buffer.from('[1,2]').toString('base64url')])(
        'the page token %j is refused',
        async (pageToken) => {
          await expect(store.tasks({ limit: 1, pageToken })).rejects.toMatchObject({ code: 'bad-request' });
        },
      );

      test('a deleted task takes everything with it and leaves its neighbour alone', async () => {
        for (const id of ['t', 't2']) {
          await store.saveTask(taskOf(id));
          await fill(id, 3);
          await store.saveCheckpoint(id, { turn: 1 });
          await store.saveArtifact(id, artifactOf('a.txt', 1), Buffer.from('a'));
          await store.saveWebhooks(id, { areOpen: true, body: [id] });
        }
        expect(await store.deleteTask('t')).toBe(true);
        expect(await store.task('t')).toBeUndefined();
        expect(await store.read('t', 0, 10)).toEqual([]);
        expect(await store.checkpoint('t')).toBeUndefined();
        expect(await store.artifacts('t')).toEqual([]);
        expect(await store.artifact('t', 'a.txt')).toBeUndefined();
        expect([await store.webhooks('t'), await store.webhooks('t2')]).toEqual([undefined, ['t2']]);
        expect(await store.tasksToNotify()).toEqual(['t2']);
        expect((await store.tasks({ limit: 10 })).tasks.map(({ id }) => id)).toEqual(['t2']);
        expect(await seqs('t2', 0, 10)).toEqual([1, 2, 3]);
        expect(await store.deleteTask('t')).toBe(false);
      });

      test('changes are made in the order they are asked for', async () => {
        const all = [
          store.saveTask(taskOf('t')),
          store.append(eventOf('t', 1)),
          store.deleteTask('t'),
          store.append(eventOf('t', 1)),
          store.saveTask(taskOf('t', { minute: 7 })),
        ];
        await Promise.all(all);
        expect(await seqs('t', 0, 10)).toEqual([1]);
        expect(await store.task('t')).toEqual(taskOf('t', { minute: 7 }));
      });
    });

    test('of what is saved at the same moment the last counts, for every task', async () => {
      const ids = ['a', 'b', 'c'];
      const savedTwice = (id: string): Promise<unknown>[] => [
        store.saveTask(taskOf(id, { minute: 1 })),
        store.append(eventOf(id, 1)),
        store.saveCheckpoint(id, { turn: 1 }),
        store.saveWebhooks(id, { areOpen: true, body: [1] }),
        store.saveArtifact(id, artifactOf('file', 3), Buffer.from('old')),
        store.append(eventOf(id, 2)),
        store.saveTask(taskOf(id, { minute: 2, owner: id })),
        store.saveCheckpoint(id, { turn: 2 }),
        store.saveWebhooks(id, { areOpen: false, body: [2] }),
        store.saveArtifact(id, artifactOf('file', 3), Buffer.from(`${id}!!`)),
      ];
      await Promise.all(ids.flatMap(savedTwice));
      for (const id of ids) {
        expect(await store.task(id)).toEqual(taskOf(id, { minute: 2, owner: id }));
        expect(await seqs(id, 0, 10)).toEqual([1, 2]);
        expect([await store.checkpoint(id), await store.webhooks(id)]).toEqual([{ turn: 2 }, [2]]);
        expect(bytes(await store.artifact(id, 'file')).toString()).toBe(`${id}!!`);
      }
      expect(await store.tasksToNotify()).toEqual([]);
    });

    test('only the newest checkpoint counts', async () => {
      expect(await store.checkpoint('t')).toBeUndefined();
      await store.saveCheckpoint('t', [{ role: 'user', parts: [{ text: '„ü“' }] }]);
      await store.saveCheckpoint('t', { history: [], ready: false });
      expect(await store.checkpoint('t')).toEqual({ history: [], ready: false });
      await store.saveCheckpoint('t', null);
      expect(await store.checkpoint('t')).toBeNull();
    });

    test('a checkpoint may continue the last one, and is read as a whole', async () => {
      const entry = (text: string) => ({ role: 'user', parts: [{ text: `${text} „ü“\n` }] });
      const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(entry);
      const saves = ['t', 'u'].flatMap((id) => [
        store.saveCheckpoint(id, { turn: 1, history: [a ?? null, b ?? null] }),
        store.saveCheckpoint(id, { turn: 2, batch: {}, kept: 2, history: [c ?? null] }),
        store.saveCheckpoint(id, { turn: 3, kept: 3, history: [] }),
        store.saveCheckpoint(id, { turn: 4, kept: 1, history: [d ?? null] }),
        store.saveCheckpoint(id, { kept: 2, history: [c ?? null] }),
      ]);
      await Promise.all(saves);
      expect(await store.checkpoint('t')).toEqual({ history: [a, d, c] });
      expect(await store.checkpoint('u')).toEqual({ history: [a, d, c] });
      for (let kept = 3; kept < 150; kept++) void store.saveCheckpoint('t', { turn: kept, kept, history: [kept] });
      await store.saveCheckpoint('t', { turn: 150, kept: 149, history: [] });
      const numbers = Array.from({ length: 146 }, (_, index) => index + 3);
      expect(await store.checkpoint('t')).toEqual({ turn: 150, history: [a, d, c, ...numbers] });
      await store.saveCheckpoint('t', { turn: 151, kept: 100, history: ['x'] });
      expect(await store.checkpoint('t')).toEqual({ turn: 151, history: [a, d, c, ...numbers.slice(0, 97), 'x'] });
      await store.saveCheckpoint('t', { history: ['y'] });
      expect(await store.checkpoint('t')).toEqual({ history: ['y'] });
      await store.deleteTask('t');
      expect(await store.checkpoint('t')).toBeUndefined();
      await expect(store.saveCheckpoint('t', { kept: 1, history: [] })).rejects.toThrow(
        'checkpoint of this task was lost',
      );
    });

    describe('webhooks', () => {
      test('come back as they were saved last, of one task', async () => {
        expect(await store.webhooks('t')).toBeUndefined();
        await store.saveWebhooks('t', { areOpen: true, body: [{ id: '„ü“', cursor: 1 }] });
        await store.saveWebhooks('t', { areOpen: true, body: [{ id: '„ü“', cursor: 2 }] });
        await store.saveWebhooks('u', { areOpen: false, body: [] });
        expect(await store.webhooks('t')).toEqual([{ id: '„ü“', cursor: 2 }]);
        expect(await store.webhooks('u')).toEqual([]);
      });

      test('a task is to be notified while they are open, whatever its id is', async () => {
        const ids = ['t', 'a/b', '.', '„ü“ 🐝 100 %'];
        for (const id of ids) await store.saveWebhooks(id, { areOpen: true, body: [] });
        expect((await store.tasksToNotify()).toSorted()).toEqual(ids.toSorted());
        for (const id of ids) await store.saveWebhooks(id, { areOpen: false, body: [] });
        expect(await store.tasksToNotify()).toEqual([]);
      });
    });

    describe('artifacts', () => {
      const names = [
        'src/app.ts',
        '.hidden',
        'a b%2F?#&+.txt',
        'ü/🐝.png',
        'it\'s "quoted"',
        'x\\y',
        '..',
        'a/../b',
        '-',
      ];

      test('keep their bytes, whatever their name is', async () => {
        const content = (name: string): Buffer => Buffer.from([0, 255, 254, 10, 13, ...Buffer.from(name)]);
        for (const name of names) await store.saveArtifact('t', artifactOf(name, content(name).length), content(name));
        for (const name of names) expect(bytes(await store.artifact('t', name))).toEqual(content(name));
        const listed: StoredArtifact[] = names.toSorted().map((name) => artifactOf(name, content(name).length));
        expect(await store.artifacts('t')).toEqual(listed);
      });

      test('are replaced under the same name, may be empty, and belong to one task', async () => {
        await store.saveArtifact('t', artifactOf('a', 3), Buffer.from('old'));
        await store.saveArtifact('t', artifactOf('a', 0), new Uint8Array());
        await store.saveArtifact('u', artifactOf('a', 1), Buffer.from('u'));
        expect(bytes(await store.artifact('t', 'a'))).toEqual(Buffer.alloc(0));
        expect(await store.artifacts('t')).toEqual([artifactOf('a', 0)]);
        expect(await store.artifact('t', 'b')).toBeUndefined();
      });

      test('of three megabytes come back', async () => {
        const content = Buffer.alloc(3 * 1024 * 1024, 'cosession');
        await store.saveArtifact('t', artifactOf('big', content.length), content);
        expect(bytes(await store.artifact('t', 'big')).equals(content)).toBe(true);
      });
    });

    test('a server says that it lives until it does not', async () => {
      expect(await store.servers()).toEqual([]);
      await store.saveServer({ leaseMs: 10_000 });
      await store.saveServer({ leaseMs: 3_600_000, url: 'http://one/' });
      const [server, ...others] = await store.servers();
      expect([server, others]).toMatchObject([{ url: 'http://one/' }, []]);
      expect(server?.leftMs).toBeGreaterThan(10_000);
      expect(server?.leftMs).toBeLessThanOrEqual(3_600_000);
      await store.deleteServer(server?.id ?? '');
      await store.deleteServer('unknown');
      expect(await store.servers()).toEqual([]);
    });

    turnsContract(newPlace);
    if (isDurable) {
      claimsContract(newPlace);
      durabilityContract(newPlace);
    }
  });
}

function bytes(content: Uint8Array | undefined): Buffer {
  return Buffer.from(content ?? 'nothing');
}

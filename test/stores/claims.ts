import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../src/stores/store.js';
import { openPlace, type Place } from './place.js';
import { artifactOf, eventOf, taskOf } from './samples.js';

/** A task is one server's at a time, whoever shares the store. */
export function claimsContract(newPlace: () => Promise<Place>): void {
  describe('claims', () => {
    let stores: Store[];
    let [ada, bob]: Store[] = [];
    beforeEach(async () => {
      const place = await newPlace();
      stores = [];
      for (const server of ['ada', 'bob', 'eve']) stores.push(await openPlace(place, server));
      [ada, bob] = stores;
    });
    afterEach(async () => void (await Promise.all(stores.map((store) => store.close()))));

    test('nobody has a task until it is claimed, and a second server is told whose it is', async () => {
      expect(await bob?.holder('t')).toBeUndefined();
      const epoch = await ada?.claim('t');
      expect(epoch).toBeGreaterThan(0);
      expect(await bob?.claim('t')).toBeUndefined();
      expect(await bob?.claim('t', 'eve')).toBeUndefined();
      expect(await bob?.holder('t')).toEqual({ server: 'ada', epoch });
      expect(await bob?.claim('t2')).toBeGreaterThan(0);
    });

    test('a task is given up by its own server only, and is then for everybody', async () => {
      await ada?.claim('t');
      await bob?.release('t');
      expect(await bob?.claim('t')).toBeUndefined();
      await ada?.release('t');
      expect(await ada?.holder('t')).toBeUndefined();
      expect(await bob?.claim('t')).toBeGreaterThan(0);
      await bob?.release('t');
      expect(await ada?.claim('t')).toBeGreaterThan(0);
    });

    test('a task can be given to another server, which alone may claim it', async () => {
      const epoch = await ada?.claim('t');
      await ada?.append(eventOf('t', 1));
      await ada?.release('t', 'bob');
      expect(await ada?.holder('t')).toMatchObject({ server: 'bob' });
      await expect(ada?.append(eventOf('t', 2))).rejects.toMatchObject({ code: 'task-elsewhere' });
      for (const other of [ada, stores[2]]) expect(await other?.claim('t')).toBeUndefined();
      expect(await bob?.claim('t')).toBeGreaterThan(epoch ?? 0);
      await bob?.append(eventOf('t', 2));
      expect(await ada?.read('t', 0, 9)).toEqual([eventOf('t', 1), eventOf('t', 2)]);
    });

    test('of all that take over the task of a server that is gone one gets it', async () => {
      await ada?.claim('t');
      for (const gone of ['ada', undefined]) {
        if (gone === undefined) for (const store of stores) await store.release('t');
        const claims = await Promise.all(stores.slice(1).map((store) => store.claim('t', gone)));
        expect(claims.filter(Boolean)).toHaveLength(1);
        expect(await ada?.holder('t')).toMatchObject({ server: claims[0] ? 'bob' : 'eve' });
        expect(await ada?.claim('t')).toBeUndefined();
      }
    });

    test('a server that lost its task changes nothing of it any more', async () => {
      await ada?.claim('t');
      await ada?.saveTask(taskOf('t'));
      await ada?.saveCheckpoint('t', { by: 'ada' });
      expect(await bob?.claim('t', 'ada')).toBeGreaterThan(0);
      await bob?.append(eventOf('t', 1));
      const late = [
        ada?.saveTask(taskOf('t', { state: 'failed' })),
        ada?.saveCheckpoint('t', { by: 'nobody' }),
        ada?.saveArtifact('t', artifactOf('a', 1), Buffer.from('a')),
        ada?.saveWebhooks('t', { areOpen: true, body: [] }),
        ada?.saveSummary('t', { seq: 1 }),
        ada?.append({ ...eventOf('t', 1), at: 'another time' }),
      ];
      for (const refused of late) await expect(refused).rejects.toMatchObject({ code: 'task-elsewhere' });
      expect(await ada?.deleteTask('t')).toBe(false);
      expect(await bob?.task('t')).toEqual(taskOf('t'));
      expect(await bob?.checkpoint('t')).toEqual({ by: 'ada' });
      expect(await bob?.artifacts('t')).toEqual([]);
      expect(await bob?.read('t', 0, 9)).toEqual([eventOf('t', 1)]);
    });

    test('a task that was taken over is closed to the server before, also where its log ends', async () => {
      await ada?.claim('t');
      await ada?.append(eventOf('t', 1));
      expect(await bob?.claim('t', 'ada')).toBeGreaterThan(0);
      expect(await bob?.read('t', 0, 9)).toEqual([eventOf('t', 1)]);
      await expect(ada?.append(eventOf('t', 2))).rejects.toMatchObject({ code: 'task-elsewhere' });
      await expect(ada?.append(eventOf('t', 3))).rejects.toThrow('was lost');
      // Taken over again, before and after something was written.
      const [eve] = stores.slice(2);
      await eve?.claim('t', 'bob');
      await expect(bob?.append(eventOf('t', 2))).rejects.toMatchObject({ code: 'task-elsewhere' });
      const second = { ...eventOf('t', 2), at: 'by eve' };
      await eve?.append(second);
      await ada?.claim('t', 'eve');
      await expect(eve?.append(eventOf('t', 3))).rejects.toMatchObject({ code: 'task-elsewhere' });
      await ada?.append(eventOf('t', 3));
      await ada?.append(eventOf('t', 4));
      const log = [eventOf('t', 1), second, eventOf('t', 3), eventOf('t', 4)];
      expect(await bob?.read('t', 0, 9)).toEqual(log);
      expect(await bob?.read('t', 1, 2)).toEqual(log.slice(1, 3));
    });

    test('no epoch comes back, whoever has the task, and a released one holds nothing', async () => {
      const first = await ada?.claim('t');
      await ada?.append(eventOf('t', 1));
      await ada?.release('t');
      await expect(ada?.append(eventOf('t', 2))).rejects.toMatchObject({ code: 'task-elsewhere' });
      const epochs = [first, await bob?.claim('t')];
      await bob?.release('t');
      epochs.push(await ada?.claim('t'), await ada?.claim('t'));
      expect(epochs).toEqual([...new Set(epochs)].toSorted((a, b) => Number(a) - Number(b)));
      await ada?.append(eventOf('t', 2));
      expect(await bob?.read('t', 0, 9)).toEqual([eventOf('t', 1), eventOf('t', 2)]);
    });

    test('a server that lost its task may go on with it once it is free again', async () => {
      await ada?.claim('t');
      await bob?.claim('t', 'ada');
      await bob?.append(eventOf('t', 1));
      await expect(ada?.append({ ...eventOf('t', 1), at: 'another time' })).rejects.toThrow('another server');
      await expect(ada?.append(eventOf('t', 2))).rejects.toThrow('was lost');
      await bob?.release('t');
      expect(await ada?.claim('t')).toBeGreaterThan(0);
      await ada?.append(eventOf('t', 2));
      expect(await bob?.read('t', 0, 9)).toEqual([eventOf('t', 1), eventOf('t', 2)]);
    });

    test("a task that is deleted is nobody's", async () => {
      await ada?.claim('t');
      await ada?.saveTask(taskOf('t'));
      expect(await ada?.deleteTask('t')).toBe(true);
      expect(await bob?.claim('t')).toBeGreaterThan(0);
    });

    test('what comes late for a task that was deleted does not bring it back', async () => {
      await ada?.claim('t');
      await ada?.saveTask(taskOf('t'));
      await ada?.append(eventOf('t', 1));
      expect(await ada?.deleteTask('t')).toBe(true);
      const late = [
        ada?.saveTask(taskOf('t')),
        ada?.saveCheckpoint('t', {}),
        ada?.saveArtifact('t', artifactOf('a', 1), Buffer.from('a')),
        ada?.saveWebhooks('t', { areOpen: true, body: [] }),
        ada?.append(eventOf('t', 2)),
      ];
      for (const refused of late) await expect(refused).rejects.toMatchObject({ code: 'task-elsewhere' });
      expect(await bob?.task('t')).toBeUndefined();
      expect(await bob?.checkpoint('t')).toBeUndefined();
      expect(await bob?.artifacts('t')).toEqual([]);
      expect(await bob?.webhooks('t')).toBeUndefined();
      expect(await bob?.tasksToNotify()).toEqual([]);
      expect(await bob?.read('t', 0, 9)).toEqual([]);
      // A new task of this name is another one.
      await ada?.claim('t');
      await ada?.append(eventOf('t', 1));
      expect(await bob?.read('t', 0, 9)).toEqual([eventOf('t', 1)]);
    });

    test('every server sees who lives', async () => {
      await ada?.saveServer({ leaseMs: 60_000 });
      await bob?.saveServer({ leaseMs: -60_000 });
      const lives = (await bob?.servers())?.map(({ id, leftMs }) => [id, leftMs > 0]);
      expect(lives?.toSorted()).toEqual([
        ['ada', true],
        ['bob', false],
      ]);
      await bob?.deleteServer('ada');
      expect((await ada?.servers())?.map(({ id }) => id)).toEqual(['bob']);
    });
  });
}

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
      expect(await ada?.claim('t')).toBe(true);
      expect(await ada?.claim('t')).toBe(true);
      expect(await bob?.claim('t')).toBe(false);
      expect(await bob?.claim('t', 'eve')).toBe(false);
      expect(await bob?.holder('t')).toBe('ada');
      expect(await bob?.claim('t2')).toBe(true);
    });

    test('a task is given up by its own server only, and is then for everybody', async () => {
      await ada?.claim('t');
      await bob?.release('t');
      expect(await bob?.claim('t')).toBe(false);
      await ada?.release('t');
      expect(await ada?.holder('t')).toBeUndefined();
      expect(await bob?.claim('t')).toBe(true);
      await bob?.release('t');
      expect(await ada?.claim('t')).toBe(true);
    });

    test('of all that take over the task of a server that is gone one gets it', async () => {
      await ada?.claim('t');
      for (const gone of ['ada', undefined]) {
        if (gone === undefined) for (const store of stores) await store.release('t');
        const claims = await Promise.all(stores.slice(1).map((store) => store.claim('t', gone)));
        expect(claims.filter(Boolean)).toHaveLength(1);
        expect(await ada?.holder('t')).toBe(claims[0] ? 'bob' : 'eve');
        expect(await ada?.claim('t')).toBe(false);
      }
    });

    test('a server that lost its task changes nothing of it any more', async () => {
      await ada?.claim('t');
      await ada?.saveTask(taskOf('t'));
      await ada?.saveCheckpoint('t', { by: 'ada' });
      expect(await bob?.claim('t', 'ada')).toBe(true);
      await bob?.append(eventOf('t', 1));
      const late = [
        ada?.saveTask(taskOf('t', { state: 'failed' })),
        ada?.saveCheckpoint('t', { by: 'nobody' }),
        ada?.saveArtifact('t', artifactOf('a', 1), Buffer.from('a')),
        ada?.saveWebhooks('t', { areOpen: true, body: [] }),
        ada?.append({ ...eventOf('t', 1), at: 'another time' }),
      ];
      for (const refused of late) await expect(refused).rejects.toMatchObject({ code: 'task-elsewhere' });
      expect(await ada?.deleteTask('t')).toBe(false);
      expect(await bob?.task('t')).toEqual(taskOf('t'));
      expect(await bob?.checkpoint('t')).toEqual({ by: 'ada' });
      expect(await bob?.artifacts('t')).toEqual([]);
      expect(await bob?.read('t', 0, 9)).toEqual([eventOf('t', 1)]);
    });

    test('a server that lost its task may go on with it once it is free again', async () => {
      await ada?.claim('t');
      await bob?.claim('t', 'ada');
      await bob?.append(eventOf('t', 1));
      await expect(ada?.append({ ...eventOf('t', 1), at: 'another time' })).rejects.toThrow('another server');
      await expect(ada?.append(eventOf('t', 2))).rejects.toThrow('was lost');
      await bob?.release('t');
      expect(await ada?.claim('t')).toBe(true);
      await ada?.append(eventOf('t', 2));
      expect(await bob?.read('t', 0, 9)).toEqual([eventOf('t', 1), eventOf('t', 2)]);
    });

    test("a task that is deleted is nobody's", async () => {
      await ada?.claim('t');
      await ada?.saveTask(taskOf('t'));
      expect(await ada?.deleteTask('t')).toBe(true);
      expect(await bob?.claim('t')).toBe(true);
    });

    test('every server sees who lives', async () => {
      await ada?.saveServer({ aliveUntil: '2026-01-01T00:00:10.000Z' });
      await bob?.saveServer({ aliveUntil: '2026-01-01T00:00:20.000Z' });
      const ids = (await bob?.servers())?.map(({ id }) => id);
      expect(ids?.toSorted()).toEqual(['ada', 'bob']);
      await bob?.deleteServer('ada');
      expect(await ada?.servers()).toEqual([{ id: 'bob', aliveUntil: '2026-01-01T00:00:20.000Z' }]);
    });
  });
}

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EventBody, SessionEvent } from '../../src/domain/events.js';
import type { Store, TurnQuery } from '../../src/stores/store.js';
import { openPlace, type Place } from './place.js';
import { taskOf } from './samples.js';

/** Where each turn is, how it stands, and lists of them; and what a summary may lose. */
export function turnsContract(newPlace: () => Promise<Place>): void {
  describe('turns', () => {
    let store: Store;
    beforeEach(async () => {
      store = await openPlace(await newPlace());
    });
    afterEach(() => store.close());

    const seqs = new Map<string, number>();
    beforeEach(() => seqs.clear());
    const append = (sessionId: string, turnId: string, body: EventBody, minute = 0): Promise<void> => {
      const seq = (seqs.get(sessionId) ?? 0) + 1;
      seqs.set(sessionId, seq);
      return store.append({ seq, at: timeOf(minute), sessionId, turnId, ...body });
    };
    const idsOn = async (query: TurnQuery): Promise<string[][]> => {
      const pages: string[][] = [];
      for (let token: string | undefined; ;) {
        const page = await store.turns({ ...query, ...(token === undefined ? {} : { pageToken: token }) });
        pages.push(page.turns.map(({ id }) => id));
        token = page.nextPageToken;
        if (token === undefined) return pages;
      }
    };

    test('a turn is found by what its events say, wherever they are', async () => {
      await append('t', 'one', { ...prompt, contextId: 'ours' }, 1);
      await append('t', 'one', working, 2);
      await append('t', 'two', { ...prompt, queued: 1 }, 3);
      await append('t', 'one', { type: 'text', text: 'hi' }, 4);
      await append('t', 'one', done, 5);
      await append('u', 'one', prompt, 6);
      expect(await store.turn('t', 'one')).toEqual({
        id: 'one',
        state: 'completed',
        at: timeOf(5),
        contextId: 'ours',
        first: 1,
        last: 5,
      });
      expect(await store.turn('t', 'two')).toEqual({ id: 'two', state: 'submitted', at: timeOf(3), first: 3, last: 3 });
      expect(await store.turn('u', 'one')).toMatchObject({ state: 'submitted', first: 1 });
      expect(await store.turn('t', 'three')).toBeUndefined();
      expect(await store.turn('v', 'one')).toBeUndefined();
      // Another message for a turn that waited for one.
      await append('t', 'one', prompt, 7);
      expect(await store.turn('t', 'one')).toMatchObject({ state: 'submitted', at: timeOf(7), first: 1, last: 6 });
    });

    test('many turns of one tick are kept, each once', async () => {
      await store.saveTask(taskOf('t'));
      const ids = Array.from({ length: 1200 }, (_, index) => `turn-${index}`);
      await Promise.all(ids.flatMap((id) => [prompt, working, done].map((body) => append('t', id, body))));
      expect(await store.turn('t', 'turn-0')).toMatchObject({ first: 1, last: 3, state: 'completed' });
      expect(await store.turn('t', 'turn-1199')).toMatchObject({ first: 3598, last: 3600, state: 'completed' });
      const { turns, total } = await store.turns({ limit: 2000 });
      expect([turns.length, total]).toEqual([1200, 1200]);
    });

    test('a task that is deleted in the tick of its last events leaves no turn behind', async () => {
      await store.saveTask(taskOf('t'));
      const events = [prompt, working, done].map((body) => append('t', 't.1', body));
      const [isDeleted] = await Promise.all([store.deleteTask('t'), ...events]);
      expect(isDeleted).toBe(true);
      expect(await store.turn('t', 't.1')).toBeUndefined();
      expect((await store.turns({ limit: 9 })).total).toBe(0);
    });

    test('pages are newest first, the id decides between equals, and filters narrow them and the total', async () => {
      await store.saveTask(taskOf('t', { owner: 'ada' }));
      await store.saveTask(taskOf('u', { owner: 'bob' }));
      await append('t', 't.1', done, 1);
      await append('u', 'u.2', done, 2);
      await append('t', 't.2', done, 2);
      await append('u', 'u.3', working, 3);
      await append('t', 't.4', prompt, 4);
      expect(await idsOn({ limit: 2 })).toEqual([['t.4', 'u.3'], ['t.2', 'u.2'], ['t.1']]);
      expect(await idsOn({ limit: 9, taskId: 't' })).toEqual([['t.4', 't.2', 't.1']]);
      expect(await idsOn({ limit: 9, owner: 'bob' })).toEqual([['u.3', 'u.2']]);
      expect(await idsOn({ limit: 9, states: ['working', 'submitted'] })).toEqual([['t.4', 'u.3']]);
      expect(await idsOn({ limit: 1, taskId: 't', states: ['completed'] })).toEqual([['t.2'], ['t.1']]);
      expect(await idsOn({ limit: 9, since: timeOf(3) })).toEqual([['t.4', 'u.3']]);
      expect(await idsOn({ limit: 9, taskId: 'v' })).toEqual([[]]);
      expect(await idsOn({ limit: 9, states: [] })).toEqual([[]]);
      expect((await store.turns({ limit: 1, owner: 'ada' })).total).toBe(3);
      await expect(store.turns({ limit: 1, pageToken: 'nonsense' })).rejects.toMatchObject({ code: 'bad-request' });
    });

    test('a summary brings what the store has missed, and changes nothing that it knows better', async () => {
      await store.saveTask(taskOf('t', { owner: 'ada' }));
      await append('t', 'one', prompt, 1);
      await append('t', 'one', working, 2);
      await append('t', 'one', done, 3);
      const missed = { id: 'two', state: 'failed', at: timeOf(9), first: 7, last: 9 } as const;
      const stale = { id: 'one', state: 'working', at: timeOf(2), first: 2, last: 2 } as const;
      await store.saveSummary('t', { seq: 9 }, [missed, stale]);
      expect(await store.turn('t', 'one')).toMatchObject({ state: 'completed', at: timeOf(3), first: 1, last: 3 });
      expect(await store.turn('t', 'two')).toEqual(missed);
      expect(await idsOn({ limit: 9, owner: 'ada' })).toEqual([['two', 'one']]);
    });

    test('only the newest summary counts, and it goes with its task, as its turns do', async () => {
      for (const id of ['t', 'u']) {
        await store.saveTask(taskOf(id));
        await append(id, `${id}.1`, prompt);
        await store.saveSummary(id, { seq: 1, messages: [['„ü“', 1]] });
        await store.saveSummary(id, { seq: 2 });
      }
      expect(await store.summary('t')).toEqual({ seq: 2 });
      expect(await store.summary('unknown')).toBeUndefined();
      await store.deleteTask('t');
      expect([await store.summary('t'), await store.summary('u')]).toEqual([undefined, { seq: 2 }]);
      expect(await store.turn('t', 't.1')).toBeUndefined();
      expect(await idsOn({ limit: 9 })).toEqual([['u.1']]);
    });
  });
}

const origin: (SessionEvent & { type: 'prompt' })['origin'] = { surface: 'a2a' };
const prompt = { type: 'prompt', text: 'the "type":"turn" of it', origin } as const;
const working = { type: 'turn', state: 'working' } as const;
const done = { type: 'turn', state: 'completed' } as const;

function timeOf(minute: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
}

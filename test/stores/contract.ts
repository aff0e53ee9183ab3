import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SessionEvent } from '../../src/domain/events.js';
import type { EventStore } from '../../src/stores/store.js';

/** What every store must do. Called once per implementation. */
export function storeContract(name: string, open: () => EventStore | Promise<EventStore>): void {
  describe(`${name} keeps the store contract`, () => {
    let store: EventStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const event = (sessionId: string, seq: number): SessionEvent => ({
      type: 'text',
      text: `event ${seq} „ü“`,
      seq,
      at: '2026-01-01T00:00:00.000Z',
      sessionId,
      turnId: 'turn-1',
    });
    const fill = async (sessionId: string, count: number): Promise<void> => {
      for (let seq = 1; seq <= count; seq++) await store.append(event(sessionId, seq));
    };

    test('events come back whole and in order', async () => {
      await fill('a', 3);
      expect(await store.read('a', 0, 10)).toEqual([event('a', 1), event('a', 2), event('a', 3)]);
    });

    test('a read starts after the cursor and stops at the limit', async () => {
      await fill('a', 10);
      const seqs = (await store.read('a', 4, 3)).map(({ seq }) => seq);
      expect(seqs).toEqual([5, 6, 7]);
    });

    test('sessions do not see each other, and an unknown one is empty', async () => {
      await fill('a', 2);
      await fill('b', 1);
      expect(await store.read('b', 0, 10)).toHaveLength(1);
      expect(await store.read('c', 0, 10)).toEqual([]);
    });

    test('a cursor at or beyond the end reads nothing', async () => {
      await fill('a', 2);
      expect(await store.read('a', 2, 10)).toEqual([]);
      expect(await store.read('a', 99, 10)).toEqual([]);
    });
  });
}

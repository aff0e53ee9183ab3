import { setImmediate } from 'node:timers/promises';
import type { SessionEvent } from '../domain/events.js';
import type { EventStore } from '../stores/store.js';
import type { TurnIndex } from './turn-index.js';

/** Read back at a time. */
const pageEvents = 1000;

export type StoredTurn = {
  readonly store: EventStore;
  readonly sessionId: string;
  readonly turns: TurnIndex;
  readonly turnId: string;
};

/** The stored events of a turn, oldest first, also those that are not in memory any more. */
export async function* turnEvents({ store, sessionId, turns, turnId }: StoredTurn): AsyncGenerator<SessionEvent> {
  const { first, last } = turns.rangeOf(turnId) ?? { first: 1, last: 0 };
  let cursor = first - 1;
  while (cursor < last) {
    const page = await store.read(sessionId, cursor, pageEvents);
    for (const event of page) if (event.turnId === turnId) yield event;
    cursor = page.at(-1)?.seq ?? last;
    // A store on this machine answers at once: without a pause nobody else would be served until the end.
    await setImmediate();
  }
}

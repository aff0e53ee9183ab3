import { setImmediate } from 'node:timers/promises';
import { isTurnEnd, type SessionEvent } from '../../domain/events.js';
import type { Turn } from '../../domain/turn.js';
import type { EventStore } from '../../stores/store.js';

/** Events per read. */
const pageEvents = 1000;

/** The stored events of a turn, oldest first, including those no longer in memory. */
export async function* turnEvents(store: EventStore, sessionId: string, turn: Turn): AsyncGenerator<SessionEvent> {
  let cursor = turn.first - 1;
  for (;;) {
    const known = turn.last - cursor;
    if (known <= 0 && isTurnEnd(turn.state)) return;
    const limit = known <= 0 ? pageEvents : Math.min(pageEvents, known);
    const page = await store.read(sessionId, cursor, limit);
    for (const event of page) {
      if (isPast(turn, event)) return;
      if (event.turnId === turn.id) yield event;
    }
    if (page.length < limit) return;
    cursor = page.at(-1)?.seq ?? cursor;
    // A local store answers immediately: without a pause, nobody else would be served until the end.
    await setImmediate();
  }
}

/** Whether the turn has no events from here on: another turn has started, and only one runs at a time. */
function isPast({ id, last }: Turn, event: SessionEvent): boolean {
  return event.seq > last && event.type === 'turn' && event.state === 'working' && event.turnId !== id;
}

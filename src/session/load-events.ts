import type { SessionEvent } from '../domain/events.js';
import type { EventStore } from '../stores/store.js';

const page = 5000;

/** The newest events of a session, oldest first: as many as its log would keep. */
export async function loadEvents(store: EventStore, sessionId: string, keep = 10_000): Promise<SessionEvent[]> {
  let newest: SessionEvent[] = [];
  for (;;) {
    const next = await store.read(sessionId, newest.at(-1)?.seq ?? 0, page);
    newest = [...newest, ...next].slice(-keep);
    if (next.length < page) return newest;
  }
}

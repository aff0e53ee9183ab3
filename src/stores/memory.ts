import type { SessionEvent } from '../domain/events.js';
import type { EventStore } from './store.js';

/** Keeps the newest events of each session; the oldest are forgotten at `keep`. */
export function memoryStore({ keep = 10_000 }: { keep?: number } = {}): EventStore {
  const bySession = new Map<string, SessionEvent[]>();
  return {
    append(event) {
      const events = bySession.get(event.sessionId);
      if (!events) bySession.set(event.sessionId, [event]);
      else {
        events.push(event);
        // Trimmed in blocks: a shift per event would cost as much as the event.
        if (events.length > keep * 1.25) events.splice(0, events.length - keep);
      }
      return Promise.resolve();
    },
    read(sessionId, afterSeq, limit) {
      const events = bySession.get(sessionId) ?? [];
      const first = Math.max(0, afterSeq + 1 - (events[0]?.seq ?? 1));
      return Promise.resolve(events.slice(first, first + limit));
    },
    close() {
      bySession.clear();
      return Promise.resolve();
    },
  };
}

import { setImmediate } from 'node:timers/promises';
import type { SessionEvent, WhenDone } from '../domain/events.js';
import { RecentEvents } from '../domain/recent-events.js';
import type { EventStore } from '../stores/store.js';
import { cutEvent } from './cut-event.js';
import { Recall, type Recalled } from './recall.js';

/** What an earlier life of a session left: its newest events as clients get them, oldest first, and what all of them say. */
export type Earlier = { readonly events: readonly SessionEvent[]; readonly recalled: Recalled };

/** Read at a time: a millisecond or a few, in which nobody else is served. */
const page = 1000;

/** Reads all events of a session, and keeps as many as its log would. */
export async function loadEvents(store: EventStore, sessionId: string, whenDone: WhenDone): Promise<Earlier> {
  const recall = new Recall(whenDone);
  const recent = new RecentEvents();
  let last = 0;
  for (;;) {
    const next = await store.read(sessionId, last, page);
    for (const event of next) {
      recall.add(event);
      recent.push(cutEvent(event));
      last = event.seq;
    }
    if (next.length < page) return { events: recent.slice(), recalled: recall.result };
    await setImmediate();
  }
}

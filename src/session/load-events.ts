import { setImmediate } from 'node:timers/promises';
import type { SessionEvent, WhenDone } from '../domain/events.js';
import type { EventStore } from '../stores/store.js';
import { Recall, type Recalled } from './recall.js';

/** What an earlier life of a session left: its newest events, oldest first, and what all of them say. */
export type Earlier = { readonly events: readonly SessionEvent[]; readonly recalled: Recalled };

/** Read at a time: a millisecond or a few, in which nobody else is served. */
const page = 1000;

/** Reads all events of a session, and keeps as many as its log would. */
export async function loadEvents(
  store: EventStore,
  sessionId: string,
  whenDone: WhenDone,
  keep = 10_000,
): Promise<Earlier> {
  const recall = new Recall(whenDone);
  let events: SessionEvent[] = [];
  for (;;) {
    const next = await store.read(sessionId, events.at(-1)?.seq ?? 0, page);
    for (const event of next) recall.add(event);
    events = [...events, ...next].slice(-keep);
    if (next.length < page) return { events, recalled: recall.result };
    await setImmediate();
  }
}

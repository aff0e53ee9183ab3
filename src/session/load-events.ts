import { setImmediate } from 'node:timers/promises';
import { weightOf } from '../domain/event-weight.js';
import type { SessionEvent, ShownEnd } from '../domain/events.js';
import type { Store } from '../stores/store.js';
import { cutEvent } from './log/cut-event.js';
import { Recall } from './recall.js';
import { eventsIn, readSummary, recallFrom } from './summary.js';

/** What an earlier run left: its newest events as clients get them, oldest first, and the state derived from all events. */
export type Earlier = {
  readonly events: readonly SessionEvent[];
  readonly recall: Recall;
};

/** Events per read. A read takes a few milliseconds and blocks everyone else. */
const page = 500;

/** How much of a session is in memory when it opens; older events stay in the store. */
const keepEvents = 1000;
const keepBytes = 4 * 1024 * 1024;

/** Reads what a session needs to continue, and its newest events. */
export async function loadEvents(store: Store, sessionId: string, turnEnd?: ShownEnd): Promise<Earlier> {
  let newest: readonly SessionEvent[] = [];
  const recall = await recallEvents(store, sessionId, turnEnd, (events) => {
    newest = newestOf([...newest, ...events.map(cutEvent)]);
  });
  return { recall, events: await withOlder(store, sessionId, newest, recall.state.seq) };
}

/** Derives the state of a session from its summary and the events after it. */
export async function recallEvents(
  store: Store,
  sessionId: string,
  turnEnd: ShownEnd = 'completed',
  onRead: (events: readonly SessionEvent[]) => void = () => {},
): Promise<Recall> {
  const recall = (await recallSummary(store, sessionId, turnEnd)) ?? new Recall(turnEnd);
  for (;;) {
    const events = await store.read(sessionId, recall.state.seq, page);
    for (const event of events) recall.add(event);
    onRead(events);
    if (events.length < page) return recall;
    await setImmediate();
  }
}

/** Undefined without a usable summary. A summary that knows more than the log, for instance, is wrong. */
async function recallSummary(store: Store, sessionId: string, turnEnd: ShownEnd): Promise<Recall | undefined> {
  const summary = readSummary(await store.summary(sessionId), turnEnd);
  if (!summary) return undefined;
  const read = async (seq: number) => (await store.read(sessionId, seq - 1, 1)).filter((event) => event.seq === seq);
  const events = (await Promise.all([summary.seq, ...eventsIn(summary)].map(read))).flat();
  const bySeq = new Map(events.map((event) => [event.seq, event]));
  return bySeq.has(summary.seq) ? recallFrom(summary, bySeq) : undefined;
}

/** Adds older events from the store, newest first, up to the limits above. */
async function withOlder(
  store: Store,
  sessionId: string,
  known: readonly SessionEvent[],
  last: number,
): Promise<readonly SessionEvent[]> {
  let events = known;
  for (;;) {
    const before = (events[0]?.seq ?? last + 1) - 1;
    const count = Math.min(100, before, keepEvents - events.length);
    const older = count <= 0 ? [] : await store.read(sessionId, before - count, count);
    const kept = newestOf([...older.map(cutEvent), ...events]);
    const isFull = older.length === 0 || kept.length < older.length + events.length;
    events = kept;
    if (isFull) return events;
    await setImmediate();
  }
}

function newestOf(events: readonly SessionEvent[]): readonly SessionEvent[] {
  let bytes = 0;
  let first = events.length;
  while (first > 0 && events.length - first < keepEvents) {
    const event = events[first - 1];
    bytes += event ? weightOf(event) : 0;
    // The newest event is kept, however large it is.
    if (bytes > keepBytes && first < events.length) break;
    first--;
  }
  return events.slice(first);
}

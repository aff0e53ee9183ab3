import { AppError } from '../domain/errors.js';
import type { SessionEvent } from '../domain/events.js';
import type { SessionPort } from './session-port.js';

/** Events per read. A read takes a millisecond or two and blocks everyone else. */
const pageEvents = 200;

export type Replay = {
  /** Receives events that only the store has; resolves when it is ready for more. */
  readonly take: (events: readonly SessionEvent[]) => Promise<void>;
  /** Called in the tick in which memory has everything after this seq, to subscribe from there. */
  readonly join: (after: number) => void;
  /** True once nobody wants more events. */
  readonly isOver: () => boolean;
};

/** Replays from a cursor, however old, up to where memory begins. No event is lost or repeated in between. */
export async function replay(session: SessionPort, after: number, { take, join, isOver }: Replay): Promise<void> {
  let cursor = after;
  while (!isOver()) {
    const where = session.whereAfter(cursor);
    if (where === undefined) throw notKept(cursor);
    if (where === 'memory') return join(cursor);
    const events = await storedAfter(session, cursor);
    await take(events);
    cursor = events.at(-1)?.seq ?? cursor;
  }
}

/** The next events from the store. Rejects with `too-slow` if the store has not kept them. */
export async function storedAfter(session: SessionPort, cursor: number): Promise<readonly SessionEvent[]> {
  // The store may have events that were not sent to clients yet.
  const events = await session.history(Math.min(pageEvents, session.seq - cursor), cursor);
  if (events[0]?.seq !== cursor + 1) throw notKept(cursor);
  return events;
}

/** Rejects with `too-slow` unless every event after the cursor is available. */
export async function checkKept(session: SessionPort, cursor: number): Promise<void> {
  const place = session.whereAfter(cursor);
  if (place === undefined) throw notKept(cursor);
  if (place === 'store') await storedAfter(session, cursor);
}

export function notKept(cursor: number): AppError {
  return new AppError('too-slow', `events after ${cursor} are not kept here; subscribe again without a cursor`);
}

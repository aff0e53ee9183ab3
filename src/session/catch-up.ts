import { AppError } from '../domain/errors.js';
import type { SessionEvent } from '../domain/events.js';
import type { Session } from './session.js';

/** Read at a time: a millisecond or two, in which nobody else is served. */
const pageEvents = 200;

export type CatchUp = {
  /** Takes events that only the store has; resolves when it can take more. */
  readonly take: (events: readonly SessionEvent[]) => Promise<void>;
  /** Memory has everything after this number: called in the tick in which that is so, to subscribe from there. */
  readonly join: (after: number) => void;
  /** Nobody wants more. */
  readonly isOver: () => boolean;
};

/** Brings somebody from a cursor to where memory begins, however long ago that is: nothing is lost or doubled between. */
export async function catchUp(session: Session, after: number, { take, join, isOver }: CatchUp): Promise<void> {
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

/** The next events from the store. Rejects with `too-slow` when it has not kept them. */
export async function storedAfter(session: Session, cursor: number): Promise<readonly SessionEvent[]> {
  // The store may have events that nobody was told of yet.
  const events = await session.history(Math.min(pageEvents, session.seq - cursor), cursor);
  if (events[0]?.seq !== cursor + 1) throw notKept(cursor);
  return events;
}

/** Rejects with `too-slow` unless every event after the cursor can be had. */
export async function checkKept(session: Session, cursor: number): Promise<void> {
  const place = session.whereAfter(cursor);
  if (place === undefined) throw notKept(cursor);
  if (place === 'store') await storedAfter(session, cursor);
}

export function notKept(cursor: number): AppError {
  return new AppError('too-slow', `events after ${cursor} are not kept here; subscribe again without a cursor`);
}

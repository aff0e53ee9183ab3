import type { SessionEvent } from '../../../domain/events.js';
import { notKept, storedAfter } from '../../../session/replay.js';
import type { Place } from '../../../session/log/event-log.js';
import type { SessionPort } from '../../../session/session-port.js';
import type { Reader } from './reader.js';

/** Events read from the log at a time. */
const batch = 100;

/**
 * The events of a session after a cursor, as fast as the caller takes them, those of one tick together. Nothing is queued
 * per caller. Each has a cursor into the session's own log, and reads from the store if it falls behind the log. If the
 * session ends here first, yields the last word, if there is one, and throws the reason.
 */
export async function* followBatches(
  session: SessionPort,
  after: number,
  reader: Reader,
  lastWord: () => SessionEvent | undefined = () => undefined,
): AsyncGenerator<readonly SessionEvent[]> {
  let cursor = after;
  let wake: () => void = () => {};
  const { ended } = session;
  const unsubscribe = session.subscribe(() => wake());
  const onEnded = (): void => wake();
  ended.addEventListener('abort', onEnded);
  reader.onClose(() => wake());
  try {
    for (;;) {
      if (reader.isClosed) return;
      const place = checkCursor(session, cursor);
      const events = place === 'memory' ? session.eventsAfter(cursor, batch) : await storedAfter(session, cursor);
      const last = events.at(-1);
      if (last) {
        cursor = last.seq;
        yield events;
      } else if (ended.aborted) {
        const word = lastWord();
        if (word) yield [word];
        throw ended.reason;
      } else await new Promise<void>((resolve) => (wake = resolve));
      const waiting = reader.drained();
      if (waiting) await waiting;
    }
  } finally {
    unsubscribe();
    ended.removeEventListener('abort', onEnded);
  }
}

/** The same events one by one. */
export async function* follow(session: SessionPort, after: number, reader: Reader): AsyncGenerator<SessionEvent> {
  for await (const events of followBatches(session, after, reader)) yield* events;
}

/** Where the events after the cursor are. Throws `too-slow` if they are no longer kept. */
export function checkCursor(session: SessionPort, cursor: number): Place {
  const place = session.whereAfter(cursor);
  if (place === undefined) throw notKept(cursor);
  return place;
}

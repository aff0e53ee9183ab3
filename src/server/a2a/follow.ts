import { AppError } from '../../domain/errors.js';
import type { SessionEvent } from '../../domain/events.js';
import type { Session } from '../../session/session.js';
import type { Connection } from './connection.js';

/** Events read from the log at a time. */
const batch = 100;

/**
 * The events of a session from a cursor on, as fast as the caller takes them. Nothing is queued per caller: each has a
 * cursor into the session's own log, and one that falls out of it is told to come back.
 */
export async function* follow(
  session: Session,
  after: number,
  connection: Connection | undefined,
): AsyncGenerator<SessionEvent> {
  let cursor = after;
  let wake: () => void = () => {};
  const unsubscribe = session.subscribe(() => wake());
  connection?.onClose(() => wake());
  try {
    while (!connection?.isClosed) {
      if (!session.canReplayFrom(cursor))
        throw new AppError('too-slow', `events after ${cursor} are no longer kept; subscribe again`);
      const events = session.eventsAfter(cursor, batch);
      if (events.length === 0) {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      for (const event of events) {
        cursor = event.seq;
        yield event;
        const waiting = connection?.drained();
        if (waiting) await waiting;
      }
    }
  } finally {
    unsubscribe();
  }
}

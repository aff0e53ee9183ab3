import { isPiece, type SessionEvent } from '../../../domain/events.js';
import { notKept, storedAfter } from '../../../session/replay.js';
import type { Place } from '../../../session/log/event-log.js';
import type { SessionPort } from '../../../session/session-port.js';
import type { Reader } from './reader.js';

/** Events read from the log at a time. */
const batch = 100;

type FollowOptions = {
  readonly session: SessionPort;
  /** Events after this one are taken. */
  readonly after: number;
  readonly reader: Reader;
  /** Takes the next event. True if no more are wanted. */
  readonly take: (event: SessionEvent) => boolean;
  /** Called when there are no more events at the moment. */
  readonly pause?: () => void;
  /** The last event of a session that ends here first, if there is one. */
  readonly lastWord?: () => SessionEvent | undefined;
};

type Idle = {
  /** With true, no more events are wanted. */
  readonly wake: (isDone: boolean) => void;
  readonly fail: (error: unknown) => void;
};

/**
 * Takes the events of a session after a cursor, as fast as the reader can. Nothing is queued per reader. Each has a cursor
 * into the session's own log, and reads from the store if it falls behind the log. Resolves when no more are wanted or the
 * reader has disconnected. If the session ends here first, takes the last word and throws the reason.
 */
export async function follow(options: FollowOptions): Promise<void> {
  const { session, after, reader, take, pause = () => {}, lastWord = () => undefined } = options;
  const { ended } = session;
  let cursor = after;
  /** Set while all events so far are taken. */
  let idle: Idle | undefined;
  const endIdle = (end: (was: Idle) => void): void => {
    const was = idle;
    idle = undefined;
    if (was) end(was);
  };
  const wake = (): void => endIdle((was) => was.wake(false));
  const next = (event: SessionEvent): boolean => {
    cursor = event.seq;
    return take(event);
  };
  /** Through the loop below, a piece of a reply would stand behind everything else that is due in this tick. */
  const takeNow = (piece: SessionEvent): void => {
    try {
      const isDone = next(piece);
      pause();
      if (isDone || reader.drained()) endIdle((was) => was.wake(isDone));
    } catch (error) {
      endIdle((was) => was.fail(error));
    }
  };
  const unsubscribe = session.subscribe((event) => {
    if (idle && isPiece(event) && !reader.isClosed) takeNow(event);
    else wake();
  });
  ended.addEventListener('abort', wake);
  reader.onClose(wake);
  try {
    while (!reader.isClosed) {
      const place = checkCursor(session, cursor);
      const events = place === 'memory' ? session.eventsAfter(cursor, batch) : await storedAfter(session, cursor);
      for (const event of events) {
        if (next(event)) return;
        const room = reader.drained();
        if (room) await room;
      }
      if (events.length > 0) pause();
      else if (ended.aborted) {
        const word = lastWord();
        if (word && next(word)) return;
        pause();
        throw ended.reason;
      } else if (await new Promise<boolean>((resolve, reject) => (idle = { wake: resolve, fail: reject }))) return;
      const room = reader.drained();
      if (room) await room;
    }
  } finally {
    unsubscribe();
    ended.removeEventListener('abort', wake);
  }
}

/** Where the events after the cursor are. Throws `too-slow` if they are no longer kept. */
export function checkCursor(session: SessionPort, cursor: number): Place {
  const place = session.whereAfter(cursor);
  if (place === undefined) throw notKept(cursor);
  return place;
}

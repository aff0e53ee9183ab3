import { isTurnEnd, type SessionEvent } from '../domain/events.js';

/** How a session is presented to one kind of client. Each dialect has its own folder here and is opened per session. */
export type Dialect = {
  /** The stream events for a session event: none, one or several. */
  toEvents(event: SessionEvent): readonly StreamEvent[];
  /** Whether the stream of a turn ends here; the turn itself may continue. */
  isLast(event: SessionEvent): boolean;
};

export type StreamEvent = { readonly json: string; readonly name?: string };

/** A dialect that sends each event as one, the same to every client. Any number of clients may share it. */
export function plainDialect(toJson: (event: SessionEvent) => string): Dialect {
  // Listeners of one event run one after another, so caching the last is enough to serialise each event once.
  let last: SessionEvent | undefined;
  let sent: readonly StreamEvent[] = [];
  return {
    toEvents(event) {
      if (event !== last) {
        sent = [{ json: toJson(event) }];
        last = event;
      }
      return sent;
    },
    isLast: endsTurn,
  };
}

export function endsTurn(event: SessionEvent): boolean {
  return event.type === 'turn' && isTurnEnd(event.state);
}

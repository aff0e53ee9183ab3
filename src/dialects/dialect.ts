import { isTurnEnd, type SessionEvent } from '../domain/events.js';

/** How a session is told to one kind of client. Each dialect has a folder here, and opens on a session. */
export type Dialect = {
  /** What a session event becomes: nothing, one event of the stream, or several. */
  toEvents(event: SessionEvent): readonly StreamEvent[];
  /** Whether the stream of a turn ends here; the turn may well go on. */
  isLast(event: SessionEvent): boolean;
};

export type StreamEvent = { readonly json: string; readonly name?: string };

/** A dialect that tells every event as one, the same to all. It may be shared by any number of clients. */
export function plainDialect(toWire: (event: SessionEvent) => unknown): Dialect {
  // Listeners of one event run one after another, so remembering the last is enough to serialise each event once.
  let last: SessionEvent | undefined;
  let told: readonly StreamEvent[] = [];
  return {
    toEvents(event) {
      if (event !== last) {
        told = [{ json: JSON.stringify(toWire(event)) }];
        last = event;
      }
      return told;
    },
    isLast: endsTurn,
  };
}

export function endsTurn(event: SessionEvent): boolean {
  return event.type === 'turn' && isTurnEnd(event.state);
}

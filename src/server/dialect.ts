import type { SessionEvent } from '../domain/events.js';
import { toStatusUpdate } from '../protocols/development-tool/to-wire.js';
import { toEndpoint } from '../protocols/endpoint/to-wire.js';
import type { Session } from '../session/session.js';

/** How events are written for one kind of client. */
export type Dialect = { toJson(event: SessionEvent): string };

export type DialectName = 'endpoint' | 'a2a';

const opened = new WeakMap<Session, Record<DialectName, Dialect>>();

/** The dialects in which a session is told; the same for all its clients, so that each event is serialised once. */
export function dialectsOf(session: Session): Record<DialectName, Dialect> {
  const known = opened.get(session);
  if (known) return known;
  const dialects = {
    endpoint: dialect((event) => toEndpoint(event)),
    a2a: dialect((event) => toStatusUpdate(event, session.agent)),
  };
  opened.set(session, dialects);
  return dialects;
}

/** Listeners of one event run one after another, so remembering the last text is enough to serialise each event once. */
function dialect(toWire: (event: SessionEvent) => unknown): Dialect {
  let last: SessionEvent | undefined;
  let json = '';
  return {
    toJson(event) {
      if (event !== last) {
        json = JSON.stringify(toWire(event));
        last = event;
      }
      return json;
    },
  };
}

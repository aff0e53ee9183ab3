import type { SessionPort } from '../../session/session-port.js';
import { Broadcast } from '../endpoint/broadcast.js';
import { type DialectName, dialectsOf } from '../endpoint/dialect.js';

export type BroadcastsOf = (session: SessionPort) => Record<DialectName, Broadcast>;

/** A session's broadcasts start with its first client. They hold nothing without clients and are freed with the session. */
export function openBroadcasts(): BroadcastsOf {
  const opened = new WeakMap<SessionPort, Record<DialectName, Broadcast>>();
  return (session) => {
    const known = opened.get(session);
    if (known) return known;
    const { endpoint, a2a } = dialectsOf(session);
    const broadcasts = {
      endpoint: new Broadcast(session, endpoint, { sendsClients: true }),
      a2a: new Broadcast(session, a2a),
    };
    opened.set(session, broadcasts);
    return broadcasts;
  };
}

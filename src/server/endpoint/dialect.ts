import type { Dialect } from '../../dialects/dialect.js';
import { developmentToolDialect } from '../../dialects/development-tool/dialect.js';
import { endpointDialect } from '../../dialects/endpoint/dialect.js';
import type { SessionPort } from '../../session/session-port.js';

/** The dialects available to a client that watches a session. */
export type DialectName = 'endpoint' | 'a2a';

const opened = new WeakMap<SessionPort, Record<DialectName, Dialect>>();

/** The dialects in which all clients of a session get the same text, so each event is serialised once. */
export function dialectsOf(session: SessionPort): Record<DialectName, Dialect> {
  const known = opened.get(session);
  if (known) return known;
  const dialects = { endpoint: endpointDialect(), a2a: developmentToolDialect(session) };
  opened.set(session, dialects);
  return dialects;
}

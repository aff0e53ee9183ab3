import type { Dialect } from '../../dialects/dialect.js';
import { developmentToolDialect } from '../../dialects/development-tool/dialect.js';
import { endpointDialect } from '../../dialects/endpoint/dialect.js';
import type { Session } from '../../session/session.js';

/** The dialects available to a client that watches a session. */
export type DialectName = 'endpoint' | 'a2a';

const opened = new WeakMap<Session, Record<DialectName, Dialect>>();

/** The dialects in which all clients of a session get the same text, so each event is serialised once. */
export function dialectsOf(session: Session): Record<DialectName, Dialect> {
  const known = opened.get(session);
  if (known) return known;
  const dialects = { endpoint: endpointDialect(), a2a: developmentToolDialect(session) };
  opened.set(session, dialects);
  return dialects;
}

import type { Agent } from '../../domain/events.js';
import { type Dialect, plainDialect } from '../dialect.js';
import { toStatusUpdate } from './to-wire.js';

/** A2A's status updates with the development-tool extension (seed 004). */
export function developmentToolDialect(session: { readonly agent: Agent }): Dialect {
  return plainDialect((event) => JSON.stringify(toStatusUpdate(event, session.agent)));
}

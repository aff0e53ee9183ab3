import type { Origin } from '../../domain/events.js';

/** Where our own facts stand in ACP's `_meta`; a client that does not know them ignores them. */
const metaKey = 'cosession';

export type Meta = { readonly [metaKey]: Readonly<Record<string, unknown>> };

export function meta(facts: Readonly<Record<string, unknown>>): Meta {
  return { [metaKey]: facts };
}

/** What a client of ours put into `_meta`. */
export function readMeta(
  given: Readonly<Record<string, unknown>> | null | undefined,
): Readonly<Record<string, unknown>> {
  const facts = given?.[metaKey];
  return typeof facts === 'object' && facts !== null ? { ...facts } : {};
}

export function originMeta(origin: Origin): Meta {
  return meta({ origin });
}

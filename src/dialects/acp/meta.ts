import type { Origin } from '../../domain/events.js';

/** The key of our own fields in ACP's `_meta`; other clients ignore it. */
const metaKey = 'cosession';

export type Meta = { readonly [metaKey]: Readonly<Record<string, unknown>> };

export function meta(facts: Readonly<Record<string, unknown>>): Meta {
  return { [metaKey]: facts };
}

/** What one of our own clients put into `_meta`. */
export function readMeta(
  given: Readonly<Record<string, unknown>> | null | undefined,
): Readonly<Record<string, unknown>> {
  const facts = given?.[metaKey];
  return typeof facts === 'object' && facts !== null ? { ...facts } : {};
}

export function originMeta(origin: Origin): Meta {
  return meta({ origin });
}

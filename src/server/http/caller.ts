import type { Principal } from '../../auth/principal.js';
import { AppError } from '../../domain/errors.js';
import type { Origin } from '../../domain/events.js';
import type { Sessions } from '../../tasks/sessions.js';
import { sanitizeLine } from '../../util/text/sanitize.js';

/** The contexts of standard A2A that a caller may see. */
export type SessionsFor = (principal: Principal) => Sessions;

/** The name a client gives itself, made safe to print in a terminal. Empty if it has none. */
export function clientName(given: string | undefined): string {
  return sanitizeLine(given ?? '', 40);
}

export function originOf(name: string | undefined, principal: Principal, surface: Origin['surface'] = 'a2a'): Origin {
  const client = clientName(name);
  const isNamed = principal.via !== 'owner' && principal.via !== 'nothing';
  return {
    surface,
    ...(client === '' ? {} : { client }),
    ...(isNamed ? { principal: sanitizeLine(principal.id, 200) } : {}),
  };
}

/** The seq of an event as clients write it in `Last-Event-ID` and `?after=`. Undefined if the value is not a number. */
export function toCursor(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** The cursor a client resumes from. Undefined if it sent none. */
export function cursorOf(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const cursor = toCursor(value);
  if (cursor === undefined) throw new AppError('bad-request', 'after and Last-Event-ID must be a number');
  return cursor;
}

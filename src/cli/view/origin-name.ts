import type { Origin } from '../../domain/events.js';
import { sanitizeLine } from '../../util/text/sanitize.js';

/** Clients choose their own names. A name always has an `@`, which the terminal itself has not: `@phone`, `ada@laptop`. */
export function originName({ surface, client }: Origin): string {
  if (surface === 'tui') return 'terminal';
  const name = sanitizeLine(client ?? surface, 40);
  return name.includes('@') ? name : `@${name}`;
}

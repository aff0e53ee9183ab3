import type { Origin } from '../../domain/events.js';
import { sanitizeLine } from '../../util/sanitize.js';

/** Clients choose their names; the `@` keeps one that calls itself "terminal" apart from the terminal. */
export function originName({ surface, client }: Origin): string {
  if (surface === 'tui') return 'terminal';
  return `@${sanitizeLine(client ?? surface, 40)}`;
}

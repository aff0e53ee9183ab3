import type { Origin } from '../../domain/events.js';
import { sanitizeLine } from '../../util/sanitize.js';

/** Clients choose their own names. The `@` distinguishes a client named "terminal" from the terminal itself. */
export function originName({ surface, client }: Origin): string {
  if (surface === 'tui') return 'terminal';
  return `@${sanitizeLine(client ?? surface, 40)}`;
}

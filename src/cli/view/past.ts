import type { LoggedEvent } from '../../client/wire-event.js';

/** How much of the earlier conversation is shown at the start. */
export type PastOptions = {
  readonly turns: number;
  /** The number of lines of a prompt or reply; the rest is counted. */
  readonly linesEach: number;
};

const recent: PastOptions = { turns: 5, linesEach: 8 };
/** As many turns as one answer of the server has. */
const everything: PastOptions = { turns: 200, linesEach: Infinity };

/** What `--all` and `--none` mean. */
export function pastOf({ all, none }: { readonly all: boolean; readonly none: boolean }): PastOptions | undefined {
  if (none) return undefined;
  return all ? everything : recent;
}

/** The first lines, and how many more there are. */
export function folded(lines: readonly string[], { linesEach }: PastOptions): string[] {
  const more = lines.length - linesEach;
  // Showing one more line takes no more room than the note that there is one.
  return more <= 1 ? [...lines] : [...lines.slice(0, linesEach), `… ${more} more lines`];
}

/** Whether an event of the past is worth a line: what was said and done, but no thoughts and figures. */
export function isWorthShowing(event: LoggedEvent): boolean {
  switch (event.kind) {
    case 'USER_MESSAGE':
    case 'TEXT_CONTENT':
    case 'ERROR':
      return true;
    case 'TOOL_CALL_UPDATE':
      // What still waits is asked again below.
      return event.status !== 'PENDING';
    case 'STATE_CHANGE':
      return event.final === true && event.state !== 'completed';
    default:
      return false;
  }
}

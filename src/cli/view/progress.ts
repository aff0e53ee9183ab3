import type { Io } from './io.js';

type Counts = { readonly total: number; readonly copied: number; readonly skipped: number; readonly events: number };

/** Shows how far a transfer is, on one line of a terminal. Prints nothing elsewhere. */
export function progressOn({ stdout }: Io): (counts: Counts) => void {
  if (!stdout.isTTY) return () => {};
  return ({ total, copied, skipped, events }) => {
    const done = copied + skipped;
    const end = done === total ? '\n' : '';
    stdout.write(`\r${done} of ${total} tasks, ${events} events${end}`);
  };
}

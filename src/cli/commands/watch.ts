import type { GivenTo } from '../argv/commands.js';
import { openSession } from '../find/open-session.js';
import { connectionNotes } from '../view/connection-notes.js';
import { untilInterrupted } from '../view/interrupt.js';
import type { Io } from '../view/io.js';
import { pastOf } from '../view/past.js';
import { openOutput } from '../view/output.js';
import { eventPrinter } from '../view/print-events.js';

/** `cosession watch [session]`: shows what happens until Ctrl-C. */
export async function watch(given: GivenTo<'watch'>, io: Io): Promise<number> {
  const output = openOutput(io, () => session.close());
  const { all, none } = given.flags;
  const json = given.flags.jsonl || given.flags.json;
  // Programs get past events only on request.
  const past = pastOf({ all, none: none || (json && !all) });
  const printer = eventPrinter(io, output, json, past);
  const onState = connectionNotes((text) => printer.note(text));
  const session = await openSession(io, given, { onState, ...(past && { history: { turns: past.turns } }) });
  await untilInterrupted(
    () => session.close(),
    () => printer.print(session.watch()),
  );
  return 0;
}

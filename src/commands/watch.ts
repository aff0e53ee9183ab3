import { parseArguments, refuseWords } from './arguments.js';
import { connectionNotes } from './connection-notes.js';
import { untilInterrupted } from './interrupt.js';
import type { Io } from './io.js';
import { openSession } from './open-session.js';
import { openOutput } from './output.js';
import { eventPrinter } from './print-events.js';

/** `cosession watch [url]`: shows what happens until Ctrl-C. */
export async function watch(argv: readonly string[], io: Io): Promise<number> {
  const args = parseArguments('watch', argv, ['--json', '--as']);
  refuseWords('watch', args.words);
  const output = openOutput(io, () => session.close());
  const printer = eventPrinter(io, output, args.isJson);
  const onState = connectionNotes((text) => printer.note(text));
  const session = await openSession(io, args, { client: 'watch', onState });
  await untilInterrupted(
    () => session.close(),
    () => printer.print(session.watch()),
  );
  return 0;
}

import { UsageError } from '../config/flags.js';
import { parseArguments } from './arguments.js';
import { connectionNotes } from './connection-notes.js';
import { untilInterrupted } from './interrupt.js';
import type { Io } from './io.js';
import { openSession } from './open-session.js';
import { openOutput } from './output.js';
import { eventPrinter } from './print-events.js';

/** `cosession send [url] <text>`: sends a prompt and shows its turn. Ctrl-C leaves; the turn goes on. */
export async function send(argv: readonly string[], io: Io): Promise<number> {
  const args = parseArguments('send', argv, ['--json', '--as']);
  const text = args.words.join(' ');
  if (text.trim() === '') throw new UsageError('cosession send needs a text; see cosession --help');
  let hasLeft = false;
  const leave = (): void => {
    hasLeft = true;
    session.close();
  };
  const output = openOutput(io, leave);
  const printer = eventPrinter(io, output, args.isJson);
  const onState = connectionNotes((text) => printer.note(text));
  const session = await openSession(io, args, { client: 'send', onState });
  try {
    return await untilInterrupted(leave, async () => {
      const turn = await session.prompt(text);
      await printer.print(turn.events);
      return (await turn.done).state === 'completed' ? 0 : 1;
    });
  } catch (error) {
    // How the turn ends is not known here.
    if (hasLeft) return 1;
    throw error;
  } finally {
    session.close();
  }
}

import { UsageError } from '../../util/usage-error.js';
import type { GivenTo } from '../argv/commands.js';
import { openSession } from '../find/open-session.js';
import { connectionNotes } from '../view/connection-notes.js';
import { untilInterrupted } from '../view/interrupt.js';
import type { Io } from '../view/io.js';
import { openOutput } from '../view/output.js';
import { eventPrinter } from '../view/print-events.js';

/** `cosession send [url] <text>`: sends a prompt and shows its turn. Ctrl-C leaves; the turn continues. */
export async function send(given: GivenTo<'send'>, io: Io): Promise<number> {
  const text = given.words.join(' ');
  if (text.trim() === '') throw new UsageError('cosession send needs a text; see cosession send --help');
  let hasLeft = false;
  const leave = (): void => {
    hasLeft = true;
    session.close();
  };
  const output = openOutput(io, leave);
  const printer = eventPrinter(io, output, given.flags.json);
  const onState = connectionNotes((text) => printer.note(text));
  const session = await openSession(io, given, { onState });
  try {
    return await untilInterrupted(leave, async () => {
      const turn = await session.prompt(text);
      await printer.print(turn.events);
      return (await turn.done).state === 'completed' ? 0 : 1;
    });
  } catch (error) {
    // The turn continues, and its result is unknown.
    if (hasLeft) return 1;
    throw error;
  } finally {
    session.close();
  }
}

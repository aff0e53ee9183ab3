import type { LoggedEvent } from '../../client/wire-event.js';
import type { GivenTo } from '../argv/commands.js';
import { exitCodes } from '../argv/exit-codes.js';
import { openSession } from '../find/open-session.js';
import { followTurn } from './send/follow-turn.js';
import { readPrompt } from './send/read-prompt.js';
import { turnPrinter } from './send/turn-printer.js';
import { connectionNotes } from '../view/connection-notes.js';
import { untilInterrupted } from '../view/interrupt.js';
import type { Io } from '../view/io.js';
import { openOutput } from '../view/output.js';
import { defined } from '../../util/defined.js';

/** `cosession send [url] <text>`: sends a prompt and prints the reply. Ctrl-C leaves; the turn continues. */
export async function send(given: GivenTo<'send'>, io: Io): Promise<number> {
  const { json, jsonl, onQuestion, timeoutMs } = given.flags;
  const text = await readPrompt(given.words, io);
  let left: number | undefined;
  const leave = (code: number) => (): void => {
    left = code;
    session.close();
  };
  const output = openOutput(io, leave(exitCodes.failed.code));
  const printer = turnPrinter(jsonl ? 'jsonl' : json ? 'json' : 'text', io, output);
  const onState = connectionNotes((note) => printer.note(note));
  const session = await openSession(io, given, { onState });
  try {
    return await untilInterrupted(leave(exitCodes.interrupted.code), async () => {
      const turn = await session.prompt(text);
      const show = (event: LoggedEvent): Promise<void> => printer.show(event);
      const report = await followTurn({ session, turn, onQuestion, show, ...defined({ timeoutMs }) });
      printer.end(report);
      return exitCodes[report.outcome].code;
    });
  } catch (error) {
    // The turn continues, and its result is unknown.
    if (left !== undefined) return left;
    throw error;
  } finally {
    session.close();
  }
}

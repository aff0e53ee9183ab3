import { parseArguments, refuseWords } from './arguments.js';
import { Attachment } from './attachment.js';
import { connectionNotes } from './connection-notes.js';
import { untilInterrupted } from './interrupt.js';
import type { Io } from './io.js';
import { openSession } from './open-session.js';

/** `cosession attach [url]`: takes part in a live session from another terminal. */
export async function attach(argv: readonly string[], io: Io): Promise<number> {
  const args = parseArguments('attach', argv, ['--as']);
  refuseWords('attach', args.words);
  const note = connectionNotes((text) => attachment.view.note(text));
  const session = await openSession(io, args, { client: 'attach', onState: note });
  const attachment = new Attachment({
    session,
    io,
    welcome: 'attached; a line is a prompt, /cancel stops the turn, Ctrl-C detaches',
    farewell: 'detached; the session goes on',
  });
  await untilInterrupted(
    () => session.close(),
    () => attachment.run(),
  );
  return 0;
}

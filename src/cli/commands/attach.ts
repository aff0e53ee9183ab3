import type { GivenTo } from '../argv/commands.js';
import { openSession } from '../find/open-session.js';
import { Attachment } from '../view/attachment.js';
import { connectionNotes } from '../view/connection-notes.js';
import { untilInterrupted } from '../view/interrupt.js';
import type { Io } from '../view/io.js';

/** `cosession attach [session]`: joins a live session from another terminal. */
export async function attach(given: GivenTo<'attach'>, io: Io): Promise<number> {
  let hasEnded = false;
  const note = connectionNotes((text) => attachment.view.note(text));
  const onState: typeof note = (state, error) => {
    hasEnded ||= error?.code === 'ended';
    note(state, error);
  };
  const session = await openSession(io, given, { onState });
  const attachment = new Attachment({
    session,
    io,
    welcome: 'attached; a line is a prompt, /cancel stops the turn, Ctrl-C detaches',
    farewell: () => (hasEnded ? undefined : 'detached; the session continues'),
  });
  await untilInterrupted(
    () => session.close(),
    () => attachment.run(),
  );
  return 0;
}

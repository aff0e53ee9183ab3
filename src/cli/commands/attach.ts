import type { GivenTo } from '../argv/commands.js';
import { joinSession } from '../find/open-session.js';
import { Attachment } from '../view/attachment.js';
import { connectionNotes } from '../view/connection-notes.js';
import { pastOf } from '../view/past.js';
import { untilInterrupted } from '../view/interrupt.js';
import type { Io } from '../view/io.js';

/** `cosession attach [session]`: joins a live session from another terminal. */
export async function attach(given: GivenTo<'attach'>, io: Io): Promise<number> {
  const past = pastOf(given.flags);
  let hasEnded = false;
  const note = connectionNotes((text) => attachment.view.note(text));
  const onState: typeof note = (state, error) => {
    hasEnded ||= error?.code === 'ended';
    note(state, error);
  };
  const { session, workspace } = await joinSession(io, given, {
    onState,
    ...(past && { history: { turns: past.turns } }),
  });
  const attachment = new Attachment({
    session,
    io,
    ...(past && { past }),
    ...(workspace !== undefined && { folder: workspace }),
    welcome:
      'attached; /cancel stops the turn, Tab completes, Ctrl-J adds a line, Ctrl-G opens your editor, Ctrl-C detaches',
    farewell: () => (hasEnded ? undefined : 'detached; the session continues'),
  });
  await untilInterrupted(
    () => session.close(),
    () => attachment.run(),
  );
  return 0;
}

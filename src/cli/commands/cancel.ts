import type { GivenTo } from '../argv/commands.js';
import { openSession } from '../find/open-session.js';
import type { Io } from '../view/io.js';

/** `cosession cancel [session]`: stops the running turn. */
export async function cancel(given: GivenTo<'cancel'>, io: Io): Promise<number> {
  const session = await openSession(io, given);
  try {
    await session.cancel();
    io.stdout.write('The running turn is being stopped.\n');
    return 0;
  } finally {
    session.close();
  }
}

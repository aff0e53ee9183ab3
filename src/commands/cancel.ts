import { parseArguments, refuseWords } from './arguments.js';
import type { Io } from './io.js';
import { openSession } from './open-session.js';

/** `cosession cancel [url]`: stops the running turn. */
export async function cancel(argv: readonly string[], io: Io): Promise<number> {
  const args = parseArguments('cancel', argv, ['--as']);
  refuseWords('cancel', args.words);
  const session = await openSession(io, args, { client: 'cancel' });
  try {
    await session.cancel();
    io.stdout.write('The running turn is being stopped.\n');
    return 0;
  } finally {
    session.close();
  }
}

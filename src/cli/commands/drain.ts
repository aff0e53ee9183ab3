import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { UsageError } from '../../util/usage-error.js';
import type { GivenTo } from '../argv/commands.js';
import { askServer } from '../find/ask-server.js';
import type { Io } from '../view/io.js';

const pollMs = 500;
const answerShape = z.object({ running: z.number() });

/** `cosession drain`: lets a server finish its running turns and stop. Returns when it has stopped. */
export async function drain({ session: url }: GivenTo<'drain'>, io: Io): Promise<number> {
  if (url === undefined) throw new UsageError('cosession drain needs the address of a server');
  const response = await askServer(io, url, { method: 'POST', path: 'drain' });
  const { running } = answerShape.parse(await response.json());
  io.stdout.write(`${url} accepts no more work; ${running} ${running === 1 ? 'turn is' : 'turns are'} running.\n`);
  while (await isAlive(io, url)) await sleep(pollMs);
  io.stdout.write(`${url} has stopped.\n`);
  return 0;
}

function isAlive(io: Io, url: string): Promise<boolean> {
  return askServer(io, url, { method: 'GET', path: 'health' }).then(
    () => true,
    () => false,
  );
}

import { socketUrl } from '../../client/endpoint.js';
import { pipeLines } from '../../client/line-pipe.js';
import { UsageError } from '../../util/usage-error.js';
import type { GivenTo } from '../argv/commands.js';
import { findTarget, type SessionAddress } from '../find/open-session.js';
import { servingSessions } from '../find/serving-sessions.js';
import type { Io } from '../view/io.js';
import { defined } from '../../util/defined.js';

/**
 * `cosession acp [url|session]`: an ACP agent on standard input and output, for editors that start their own agents.
 * It is a pipe to the session and writes only ACP messages to standard output.
 */
export async function acp(given: GivenTo<'acp'>, io: Io): Promise<number> {
  const { url, token } = await targetOf(io, given);
  const address = socketUrl({ url: url.replace(/\/acp\/?$/, '/') });
  const secret = defined({ token });
  await pipeLines({ url: address, subprotocol: 'acp.v1', ...secret, input: io.stdin, output: io.stdout });
  return 0;
}

async function targetOf(io: Io, { url, words: [id] }: GivenTo<'acp'>): Promise<SessionAddress> {
  if (id === undefined) return findTarget(io, url);
  if (url !== undefined) throw new UsageError('cosession acp takes one address or the beginning of one session id');
  const found = (await servingSessions(io.stateDir)).filter(({ sessionId }) => sessionId.startsWith(id));
  const [only] = found;
  if (only && found.length === 1) return only;
  const many = found.length === 0 ? 'no live session has' : `${found.length} live sessions have`;
  throw new UsageError(`${many} an id that begins with "${id}"; cosession ls shows them`);
}

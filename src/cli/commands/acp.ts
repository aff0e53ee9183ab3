import { socketUrl } from '../../client/transport/endpoint.js';
import { pipeLines } from '../../client/transport/line-pipe.js';
import type { GivenTo } from '../argv/commands.js';
import { findSession } from '../find/find-session.js';
import type { Io } from '../view/io.js';
import { defined } from '../../util/defined.js';

/**
 * `cosession acp [session]`: an ACP agent on standard input and output, for editors that start their own agents.
 * It is a pipe to the session and writes only ACP messages to standard output.
 */
export async function acp(given: GivenTo<'acp'>, io: Io): Promise<number> {
  const { url, token, certificate } = await findSession(io, given);
  const address = socketUrl({ url: url.replace(/\/acp\/?$/, '/') });
  const secret = defined({ token, certificate });
  await pipeLines({ url: address, subprotocol: 'acp.v1', ...secret, input: io.stdin, output: io.stdout });
  return 0;
}

import { socketUrl } from '../client/endpoint.js';
import { pipeLines } from '../client/line-pipe.js';
import { UsageError } from '../config/flags.js';
import { servingSessions } from '../discovery/list-sessions.js';
import { type CommandArguments, parseArguments } from './arguments.js';
import type { Io } from './io.js';
import { findTarget, type Target } from './open-session.js';

/**
 * `cosession acp [url|session]`: an ACP agent on standard input and output, for editors that start their agents themselves.
 * It is a pipe to the session; nothing but ACP's messages is written to standard output.
 */
export async function acp(argv: readonly string[], io: Io): Promise<number> {
  const { url, token } = await targetOf(io, parseArguments('acp', argv, []));
  const address = socketUrl({ url: url.replace(/\/acp\/?$/, '/') });
  const secret = token === undefined ? {} : { token };
  await pipeLines({ url: address, subprotocol: 'acp.v1', ...secret, input: io.stdin, output: io.stdout });
  return 0;
}

async function targetOf(io: Io, args: CommandArguments): Promise<Target> {
  const [id, ...more] = args.words;
  if (more.length > 0) throw new UsageError('cosession acp takes one address or the beginning of one session id');
  if (id === undefined) return findTarget(io, args.url);
  const found = (await servingSessions(io.stateDir)).filter(({ sessionId }) => sessionId.startsWith(id));
  const [only] = found;
  if (only && found.length === 1) return only;
  const many = found.length === 0 ? 'no live session has' : `${found.length} live sessions have`;
  throw new UsageError(`${many} an id that begins with "${id}"; cosession ls shows them`);
}

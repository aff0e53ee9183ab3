import type { ConnectOptions } from '../../client/connect.js';
import { CosessionError } from '../../client/cosession-error.js';
import { socketUrl } from '../../client/endpoint.js';
import { connect } from '../../client/node.js';
import type { ClientSession } from '../../client/session.js';
import { type Entry, liveSessions } from '../../discovery/discovery.js';
import type { Io } from '../view/io.js';
import { pickSession } from './pick-session.js';
import { servingSessions } from './serving-sessions.js';
import { defined } from '../../util/defined.js';

/** If the endpoint is unreachable for this long, the session has ended. */
const giveUpAfterMs = 15_000;

/** Joins the session at the given address, or the live session on this machine. */
export async function openSession(
  io: Io,
  url: string | undefined,
  options: Pick<ConnectOptions, 'client' | 'onState'>,
): Promise<ClientSession> {
  const { url: found, token } = await findTarget(io, url);
  return connect({ url: found, ...defined({ token }), ...options, giveUpAfterMs });
}

export type SessionAddress = { readonly url: string; readonly token?: string | undefined };

/** The endpoint at the given address, or of the live session on this machine, with its token. */
export async function findTarget(io: Io, url: string | undefined): Promise<SessionAddress> {
  return url === undefined ? findHere(io) : { url, token: io.token ?? tokenOf(io, url) };
}

async function findHere({ stateDir, folder }: Io): Promise<Entry> {
  const live = await servingSessions(stateDir);
  const entry = pickSession(live, folder);
  if (entry) return entry;
  if (live.length === 0)
    throw new CosessionError('not-found', 'no live session; start one with: cosession --a2a-port 41243');
  const lines = live.map(({ url, workspace }) => `  ${url}  ${workspace}`);
  throw new CosessionError(
    'not-found',
    `${live.length} sessions are live, none of them in this folder; give the address of one:\n${lines.join('\n')}`,
  );
}

/** The token of an endpoint on this machine. It is never sent to another machine. */
export function tokenOf({ stateDir }: Io, url: string): string | undefined {
  const { hostname, port } = socketUrl({ url });
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) return undefined;
  return liveSessions(stateDir).find((entry) => String(entry.port) === port)?.token;
}

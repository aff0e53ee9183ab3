import { CosessionError } from '../../client/transport/cosession-error.js';
import { socketUrl } from '../../client/transport/endpoint.js';
import { type Entry, liveSessions } from '../../discovery/discovery.js';
import { serveFlags } from '../argv/serve-flags.js';
import { isAddress } from '../../util/net/is-address.js';
import { columns } from '../../util/text/columns.js';
import type { Io } from '../view/io.js';
import { sessionOfFolder, sessionsNamed } from './pick-session.js';
import { servingSessions } from './serving-sessions.js';
import { namedCertificate } from './trust.js';

/** Where `cosession serve` is by default. */
const serverHere = `http://127.0.0.1:${serveFlags.port.default}/`;

/** How a command line says which session it means. */
export type SessionChoice = {
  /** The first operand. */
  readonly session?: string;
  readonly flags: {
    readonly session?: string;
    readonly any: boolean;
    readonly token?: string;
    readonly task?: string;
    readonly new?: boolean;
  };
};

export type FoundSession = {
  readonly url: string;
  readonly token?: string | undefined;
  /** The certificate that the endpoint shows, if it speaks TLS. */
  readonly certificate?: string | undefined;
  /** Unknown for an address that `cosession ls` does not list. */
  readonly workspace?: string;
};

/** The session that the user named, or the one of this folder. A session of another folder is used only on request. */
export async function findSession(io: Io, { session, flags }: SessionChoice): Promise<FoundSession> {
  const token = flags.token ?? io.token;
  const name = flags.session ?? session ?? (flags.new || flags.task !== undefined ? serverHere : undefined);
  if (name === undefined) return findUnnamed(io, flags.any);
  return isAddress(name) ? atAddress(io, name, token) : findNamed(io, name, token);
}

async function findUnnamed({ stateDir, folder }: Io, any: boolean): Promise<Entry> {
  const live = await servingSessions(stateDir);
  const found = sessionOfFolder(live, folder) ?? (any ? live.at(-1) : undefined);
  if (found) return found;
  if (live.length === 0) throw notFound('no live session; start one with: cosession --a2a-port 41243');
  throw notFound(`no live session in this folder; name one of these, or use --any for the newest:\n${listed(live)}`);
}

async function findNamed(io: Io, name: string, token: string | undefined): Promise<FoundSession> {
  const live = await servingSessions(io.stateDir);
  const [found, ...more] = sessionsNamed(live, name, io.folder);
  if (found && more.length === 0) return found;
  if (found) throw notFound(`${more.length + 1} live sessions match "${name}":\n${listed([found, ...more])}`);
  // A forwarded port, for example, has no discovery file here.
  if (/^\d{1,5}$/.test(name)) return { url: `http://127.0.0.1:${name}/`, token };
  if (live.length === 0) throw notFound(`no live session is named "${name}": none is running`);
  throw notFound(`no live session is named "${name}"; these are running:\n${listed(live)}`);
}

function atAddress(io: Io, url: string, token: string | undefined): FoundSession {
  const entry = entryAt(io, url);
  return {
    url,
    token: token ?? entry?.token,
    certificate: entry?.certificate ?? namedCertificate(io),
    ...(entry && { workspace: entry.workspace }),
  };
}

/** The live session of this user at an address. Its token is never sent to another machine. */
export function entryAt({ stateDir }: Pick<Io, 'stateDir'>, url: string): Entry | undefined {
  const { hostname, port } = socketUrl({ url });
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) return undefined;
  return liveSessions(stateDir).find((each) => String(each.port) === port);
}

function listed(entries: readonly Entry[]): string {
  const rows = entries.map(({ port, sessionId, workspace }) => ['', String(port), sessionId.slice(0, 8), workspace]);
  return columns(rows).trimEnd();
}

function notFound(message: string): CosessionError {
  return new CosessionError('not-found', message);
}

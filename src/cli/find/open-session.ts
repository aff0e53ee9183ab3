import type { ConnectOptions } from '../../client/connect.js';
import { connect, createTask } from '../../client/node.js';
import type { ClientSession } from '../../client/session.js';
import { defined } from '../../util/defined.js';
import { revealLine } from '../../util/text/reveal.js';
import type { Io } from '../view/io.js';
import { findSession, type FoundSession, type SessionChoice } from './find-session.js';
import { withTrustAdvice } from './trust.js';

/** If the endpoint is unreachable for this long, the session has ended. */
const giveUpAfterMs = 15_000;

/** A session choice plus the name that the client goes by. */
type Joining = SessionChoice & { readonly flags: { readonly as?: string } };

type JoinOptions = Pick<ConnectOptions, 'onState' | 'history'>;

/** Joins the session that a command line means, and says on standard error which one that is. */
export async function openSession(io: Io, choice: Joining, options: JoinOptions = {}): Promise<ClientSession> {
  return (await joinSession(io, choice, options)).session;
}

export type JoinedSession = {
  readonly session: ClientSession;
  /** Where it works, if that is on this machine. */
  readonly workspace?: string;
};

type JoinedTask = { readonly session: ClientSession; readonly taskId: string | undefined };

/** The same, with the folder of the session. */
export async function joinSession(io: Io, choice: Joining, options: JoinOptions = {}): Promise<JoinedSession> {
  const found = await findSession(io, choice);
  const { url, token, certificate } = found;
  const client = choice.flags.as ?? io.user;
  const trust = defined({ token, certificate });
  const join = async (): Promise<JoinedTask> => {
    const taskId = choice.flags.new ? await createTask({ url, ...trust }) : choice.flags.task;
    const where = { ...trust, ...defined({ taskId }) };
    return { taskId, session: await connect({ url, ...where, client, ...options, giveUpAfterMs }) };
  };
  const { session, taskId } = await join().catch((error: unknown) => {
    throw withTrustAdvice(error);
  });
  const task = taskId === undefined ? '' : ` task ${revealLine(session.id)}`;
  io.stderr.write(`→ ${placeOf(found, io.env['HOME'])}${task}\n`);
  return { session, ...defined({ workspace: found.workspace }) };
}

function placeOf({ url, workspace }: FoundSession, home: string | undefined): string {
  if (workspace === undefined) return revealLine(url);
  const isBelowHome = home !== undefined && home !== '' && `${workspace}/`.startsWith(`${home}/`);
  return revealLine(`${isBelowHome ? `~${workspace.slice(home.length)}` : workspace} (${url})`);
}

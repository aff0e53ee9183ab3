import type { Command } from '../domain/command.js';
import { AppError } from '../domain/errors.js';
import { RecentMap } from '../util/recent-map.js';
import type { TurnPage, TurnQuery } from '../stores/store.js';
import type { SessionPort } from '../session/session-port.js';
import type { SessionView } from './stored-session.js';

/** The sessions a server offers: one on the live endpoint, many elsewhere. */
export type Sessions = {
  get(id: string): Promise<SessionPort | undefined>;
  /** The session that had this turn, if it is not in memory. */
  ofTurn(turnId: string): Promise<SessionPort | undefined>;
  /** The session with this id; a new one if there is none, or no id is given. Rejects if it is not available. */
  open(id: string | undefined, wishes?: SessionWishes): Promise<SessionPort>;
  /** A view for reading only: the session is not opened, and stays with the server that runs it. */
  view(id: string): Promise<SessionView | undefined>;
  /** The turns of all sessions, wherever they run, with the states that clients see. */
  turns(query: TurnQuery): Promise<TurnPage>;
  /** The session if it is in memory. */
  peek(id: string): SessionPort | undefined;
  /** The session that everyone joins, if there is only one. */
  readonly shared?: SessionPort;
  /** Slash commands that any session can run. */
  commands(): Promise<readonly Command[]>;
};

/** What a client asks for in a new session. The server decides what it gets. */
export type SessionWishes = {
  readonly workspace?: string;
  readonly model?: string;
  /** Run tools without asking. */
  readonly autoExecute?: boolean;
  /** The principal that asks; absent without authentication. */
  readonly owner?: string;
  /** The new session need not be stored yet: the caller sends a prompt next, which is stored after it. */
  readonly promptFollows?: boolean;
  /** Never create a session: an answer is for a session that has asked. */
  readonly mustExist?: boolean;
};

/** If there are many sessions, a turn's id begins with the id of its session. */
export function sessionIdOf(turnId: string): string {
  return turnId.slice(0, Math.max(0, turnId.lastIndexOf('.')));
}

/** Rejects with `unknown-task` if there is none. */
export async function sessionOf(sessions: Pick<Sessions, 'get'>, taskId: string): Promise<SessionPort> {
  const session = await sessions.get(taskId);
  if (session) return session;
  throw unknownTask(taskId);
}

export function unknownTask(taskId: string): AppError {
  return new AppError('unknown-task', `Task not found: "${taskId}"`);
}

const maxIdLength = 256;

/** Throws `bad-request` if this cannot be the id of a session. */
export function checkSessionId(id: string): void {
  if (id === '' || id.length > maxIdLength)
    throw new AppError('bad-request', `an id must have from 1 to ${maxIdLength} characters`);
}

/** How many names of the one session are known. The oldest are forgotten until a client opens the session by them again. */
const maxNames = 1000;

/** The live endpoint: every client joins the one session, by its id or by any other name. */
export function oneSession(session: SessionPort): Sessions {
  const names = new RecentMap<string, true>(maxNames);
  const get = async (id: string) => (id === session.id || names.has(id) ? session : undefined);
  return {
    get,
    view: get,
    ofTurn: async () => undefined,
    async turns({ taskId, ...query }) {
      const isMeant = taskId === undefined || (await get(taskId)) !== undefined;
      return session.turns(isMeant ? query : { ...query, taskId });
    },
    async open(id = session.id) {
      checkSessionId(id);
      if (id !== session.id) names.set(id, true);
      return session;
    },
    peek: (id) => (id === session.id ? session : undefined),
    shared: session,
    commands: async () => session.commands,
  };
}

import type { Command } from '../domain/command.js';
import { AppError } from '../domain/errors.js';
import { RecentMap } from '../util/recent-map.js';
import type { TurnPage, TurnQuery } from '../stores/store.js';
import type { Session } from '../session/session.js';
import type { SessionView } from './stored-session.js';

/** The sessions a server offers: one in the live endpoint, many elsewhere. */
export type Sessions = {
  get(id: string): Promise<Session | undefined>;
  /** The session that had a turn of this id and is not in memory. */
  ofTurn(turnId: string): Promise<Session | undefined>;
  /** The session for a client that names this id, or none; a new one if there is none. Rejects when it cannot be had. */
  open(id: string | undefined, wishes?: SessionWishes): Promise<Session>;
  /** What is known of it, for those who only read: it is not opened, and stays with the server that runs it. */
  view(id: string): Promise<SessionView | undefined>;
  /** The turns of all of them, wherever they run, as clients are told them. */
  turns(query: TurnQuery): Promise<TurnPage>;
  /** Those in memory. */
  all(): Iterable<Session>;
  /** The one that everybody joins, where there is one only. */
  readonly shared?: Session;
  /** Slash commands that can be run in any of them. */
  commands(): Promise<readonly Command[]>;
};

/** What a client asks of a new session. The server decides what it gets. */
export type SessionWishes = {
  readonly workspace?: string;
  readonly model?: string;
  /** Run tools without asking. */
  readonly autoExecute?: boolean;
  /** The principal that asks; absent without authentication. */
  readonly owner?: string;
  /** No new one is made: an answer is for a session that has asked. */
  readonly mustExist?: boolean;
};

/** A turn's id begins with its session's, where there are many. */
export function sessionIdOf(turnId: string): string {
  return turnId.slice(0, Math.max(0, turnId.lastIndexOf('.')));
}

/** Rejects with `unknown-task` when there is none. */
export async function sessionOf(sessions: Sessions, taskId: string): Promise<Session> {
  const session = await sessions.get(taskId);
  if (session) return session;
  throw unknownTask(taskId);
}

export function unknownTask(taskId: string): AppError {
  return new AppError('unknown-task', `Task not found: "${taskId}"`);
}

const maxIdLength = 256;

/** Throws `bad-request` for what cannot be the id of a session. */
export function checkSessionId(id: string): void {
  if (id === '' || id.length > maxIdLength)
    throw new AppError('bad-request', `an id has from 1 to ${maxIdLength} characters`);
}

/** Names of the one session that are known; the oldest are forgotten, and are known again when a client comes with them. */
const maxNames = 1000;

/** The live endpoint: whoever comes joins the one session, by its id or by any other name. */
export function oneSession(session: Session): Sessions {
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
    all: () => [session],
    shared: session,
    commands: async () => session.commands,
  };
}

import { AppError } from '../domain/errors.js';
import type { Session } from './session.js';

/** The sessions a server offers: one in the live endpoint, many elsewhere. */
export type Sessions = {
  get(id: string): Promise<Session | undefined>;
  /** The session that had a turn of this id and is not in memory. */
  ofTurn(turnId: string): Promise<Session | undefined>;
  /** The session for a client that names this id, or none; a new one if there is none. Rejects when it cannot be had. */
  open(id: string | undefined, wishes?: SessionWishes): Promise<Session>;
  /** Brings those into memory that were used last, where sessions are put away: anybody's, or one owner's. */
  loadRecent?(owner?: string): Promise<void>;
  /** Those in memory. */
  all(): Iterable<Session>;
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
  throw new AppError('unknown-task', `there is no task "${taskId}"`);
}

/** The live endpoint: whoever comes joins the one session. */
export function oneSession(session: Session): Sessions {
  return {
    get: async (id) => (id === session.id ? session : undefined),
    ofTurn: async () => undefined,
    async open(id) {
      if (id === undefined || id === session.id) return session;
      throw new AppError(
        'bad-request',
        `this endpoint shares one session, "${session.id}"; "${id}" cannot be opened here`,
      );
    },
    all: () => [session],
  };
}

import { AppError } from '../domain/errors.js';
import type { Session } from './session.js';

/** The sessions a server offers: one in the live endpoint, many elsewhere. */
export type Sessions = {
  get(id: string): Session | undefined;
  /** The session for a client that names this id, or none. Throws when such a session cannot be had. */
  open(id: string | undefined): Session;
  all(): Iterable<Session>;
};

/** The live endpoint: whoever comes joins the one session. */
export function oneSession(session: Session): Sessions {
  return {
    get: (id) => (id === session.id ? session : undefined),
    open(id) {
      if (id === undefined || id === session.id) return session;
      throw new AppError(
        'bad-request',
        `this endpoint shares one session, "${session.id}"; "${id}" cannot be opened here`,
      );
    },
    all: () => [session],
  };
}

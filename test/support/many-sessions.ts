import { randomUUID } from 'node:crypto';
import { AppError } from '../../src/domain/errors.js';
import type { Session } from '../../src/session/session.js';
import type { Sessions } from '../../src/session/sessions.js';
import { RecentMap } from '../../src/util/recent-map.js';

const kept = 1000;
const maxId = 256;

/** A session per context, opened when a client first names it; the oldest are forgotten. */
export function manySessions(open: (id: string) => Session): Sessions {
  const sessions = new RecentMap<string, Session>(kept);
  return {
    get: async (id) => sessions.get(id),
    ofTurn: async () => undefined,
    async open(id = randomUUID()) {
      if (id.length > maxId) throw new AppError('bad-request', `a contextId has at most ${maxId} characters`);
      const session = sessions.get(id) ?? open(id);
      sessions.set(id, session);
      return session;
    },
    all: () => sessions.values(),
  };
}

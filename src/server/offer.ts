import type { Router } from 'express';
import { AppError } from '../domain/errors.js';
import type { ServerTasks } from '../session/server-tasks.js';
import type { Session } from '../session/session.js';
import { oneSession, sessionOf, type Sessions } from '../session/sessions.js';
import { checkTask } from './methods.js';
import { liveTaskRoutes, taskRoutes } from './routes/tasks.js';
import { TurnStreams } from './turn-streams.js';

/** The live endpoint: one session, which `/ws` and `/tasks` share. */
export type LiveOffer = {
  readonly session: Session;
  /** The contexts of standard A2A; without it the one session. */
  readonly sessions?: Sessions;
};

/** A server of many tasks. */
export type TasksOffer = { readonly tasks: ServerTasks };

/** What a server has to offer, whichever of the two it is. */
export type Offer = {
  readonly description: string;
  /** The contexts of standard A2A. */
  readonly sessions: Sessions;
  readonly routes: readonly Router[];
  /** The session of a WebSocket. */
  readonly sessionFor: (taskId: string | undefined) => Promise<Session>;
};

export function offerOf(options: LiveOffer | TasksOffer): Offer {
  return 'tasks' in options ? tasksOffer(options) : liveOffer(options);
}

function liveOffer({ session, sessions = oneSession(session) }: LiveOffer): Offer {
  return {
    description: 'The Gemini CLI session that runs in a terminal on this machine, shared live by Cosession.',
    sessions,
    routes: [liveTaskRoutes(session), taskRoutes(oneSession(session), new TurnStreams())],
    async sessionFor(taskId) {
      checkTask(session, taskId);
      return session;
    },
  };
}

function tasksOffer({ tasks }: TasksOffer): Offer {
  return {
    description: 'Generates code based on instructions',
    sessions: tasks,
    routes: [taskRoutes(tasks, new TurnStreams())],
    async sessionFor(taskId) {
      if (taskId !== undefined) return sessionOf(tasks, taskId);
      throw new AppError(
        'bad-request',
        'this server has many tasks: connect to /ws?taskId=<id> (GET /tasks lists them), or with ACP to /acp',
      );
    },
  };
}

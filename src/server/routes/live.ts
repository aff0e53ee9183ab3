import * as z from 'zod';
import type { Session } from '../../session/session.js';
import { checkTask, describeTask } from '../endpoint/methods.js';
import { type Route, route } from './route.js';
import { taskFacts, taskIds } from './task-facts.js';
import { type TurnContext, turnRoutes } from './turns.js';

export type LiveContext = TurnContext & { readonly session: Session };

/** The live endpoint. Its one task already exists, so creating it means joining it. */
export const liveRoutes: readonly Route<LiveContext>[] = [
  route({
    method: 'POST',
    path: '/tasks',
    scope: 'prompt',
    summary: 'The one task: the session',
    answer: { status: 201, meaning: 'its ids', json: z.object({ ...taskIds, sessionId: z.string() }) },
    handle({ session: { id, state } }: LiveContext, _request, response) {
      response.status(201).json({ taskId: id, sessionId: id, contextId: id, state });
    },
  }),
  route({
    ...taskFacts,
    async handle({ session }: LiveContext, request, response) {
      checkTask(session, request.params.taskId);
      response.json(await describeTask(session));
    },
  }),
  ...turnRoutes,
];

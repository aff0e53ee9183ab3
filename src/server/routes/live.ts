import * as z from 'zod';
import type { SessionPort } from '../../session/session-port.js';
import { describedTask, newTask } from '../endpoint/answer-schemas.js';
import { checkTask, describeTask } from '../endpoint/methods.js';
import { type AuditContext, auditRoutes } from './audit.js';
import { type FilesContext, fileRoutes } from './files.js';
import { type Route, route } from './route.js';
import { taskFacts } from './task-facts.js';
import { type TurnContext, turnRoutes } from './turns.js';

export type LiveContext = TurnContext & FilesContext & AuditContext & { readonly session: SessionPort };

/** The live endpoint. Its one task already exists, so creating it means joining it. */
export const liveRoutes: readonly Route<LiveContext>[] = [
  route({
    name: 'joinTask',
    method: 'POST',
    path: '/tasks',
    scope: 'prompt',
    summary: 'The one task: the session',
    answer: { status: 201, meaning: 'its ids', json: newTask.extend({ sessionId: z.string() }) },
    handle({ session: { id, state } }: LiveContext, _request, response) {
      response.status(201).json({ taskId: id, sessionId: id, contextId: id, state });
    },
  }),
  route({
    ...taskFacts,
    answer: { status: 200, meaning: 'the task', json: describedTask },
    async handle({ session }: LiveContext, request, response) {
      checkTask(session, request.params.taskId);
      response.json(await describeTask(session));
    },
  }),
  ...turnRoutes,
  ...fileRoutes,
  ...auditRoutes,
];

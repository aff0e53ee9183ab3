import * as z from 'zod';

/** How a new task is described to the client that created it. */
export const taskIds = { taskId: z.string(), contextId: z.string(), state: z.string() };

/** The same route on the live endpoint and on a server of many tasks. */
export const taskFacts = {
  method: 'GET',
  path: '/tasks/:taskId',
  scope: 'view',
  summary: 'State, history and open questions',
  answer: { status: 200, meaning: 'the task' },
} as const;

import * as z from 'zod';

/** What a task is told as when it is made. */
export const taskIds = { taskId: z.string(), contextId: z.string(), state: z.string() };

/** The same to ask for on the live endpoint and on a server of many tasks. */
export const taskFacts = {
  method: 'GET',
  path: '/tasks/:taskId',
  scope: 'view',
  summary: 'State, history and open questions',
  answer: { status: 200, meaning: 'the task' },
} as const;

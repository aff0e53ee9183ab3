/** The same route on the live endpoint and on a server of many tasks. */
export const taskFacts = {
  name: 'getTask',
  method: 'GET',
  path: '/tasks/:taskId',
  scope: 'view',
  summary: 'State, history and open questions',
} as const;

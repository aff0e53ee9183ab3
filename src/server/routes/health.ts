import { type Route, route } from './route.js';
import type { ServerContext } from './server.js';

/** For operators: whether the server is alive, whether it accepts work, and what it is doing. */
export const healthRoutes: readonly Route<ServerContext>[] = [
  route({
    method: 'GET',
    path: '/health',
    scope: 'public',
    summary: 'Is it alive?',
    answer: { status: 200, meaning: 'figures' },
    async handle({ tasks, taskCount, version }: ServerContext, _request, response) {
      const { running } = tasks.counts;
      const totalTasks = await taskCount();
      response.json({ status: 'healthy', uptime: process.uptime(), activeTasks: running, totalTasks, version });
    },
  }),
  route({
    method: 'GET',
    path: '/ready',
    scope: 'public',
    summary: 'Is it ready for work?',
    answer: { status: 200, meaning: 'yes' },
    async handle({ tasks }: ServerContext, _request, response) {
      await tasks.checkReady();
      response.json({ status: 'ready' });
    },
  }),
  route({
    method: 'GET',
    path: '/metrics',
    scope: 'view',
    summary: 'Prometheus',
    answer: { status: 200, meaning: 'text' },
    async handle({ metrics }: ServerContext, _request, response) {
      response.set('content-type', metrics.contentType).end(await metrics.text());
    },
  }),
];

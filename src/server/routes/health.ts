import { Router } from 'express';
import { AppError } from '../../domain/errors.js';
import type { ServerTasks } from '../../session/server-tasks.js';
import type { Metrics } from '../metrics.js';

/** For those who run the server: is it alive, does it take work, what does it do. */
export function healthRoutes(tasks: ServerTasks, metrics: Metrics, version: string): Router {
  const router = Router();

  router.get('/health', async (_request, response) => {
    const { total } = await tasks.list({ limit: 1 });
    const activeTasks = tasks.counts.running;
    response.json({ status: 'healthy', uptime: process.uptime(), activeTasks, totalTasks: total, version });
  });

  router.get('/ready', (_request, response) => {
    if (tasks.notReady !== undefined) throw new AppError('not-ready', tasks.notReady);
    response.json({ status: 'ready' });
  });

  router.get('/metrics', async (_request, response) => {
    response.set('content-type', metrics.contentType).end(await metrics.text());
  });

  return router;
}

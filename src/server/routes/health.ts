import { Router } from 'express';
import { AppError } from '../../domain/errors.js';
import type { ServerTasks } from '../../session/server-tasks.js';
import type { Metrics } from '../metrics.js';

/** For those who run the server: is it alive, does it take work, what does it do. */
export function healthRoutes(tasks: ServerTasks, metrics: Metrics, version: string): Router {
  const router = Router();

  router.get('/health', async (_request, response) => {
    const { running, loaded } = tasks.counts;
    // A store that is away is a reason not to be ready, not one to be started again.
    const totalTasks = await countTasks(tasks).catch(() => loaded);
    response.json({ status: 'healthy', uptime: process.uptime(), activeTasks: running, totalTasks, version });
  });

  router.get('/ready', async (_request, response) => {
    if (tasks.notReady !== undefined) throw new AppError('not-ready', tasks.notReady);
    await countTasks(tasks);
    response.json({ status: 'ready' });
  });

  router.get('/metrics', async (_request, response) => {
    response.set('content-type', metrics.contentType).end(await metrics.text());
  });

  return router;
}

async function countTasks(tasks: ServerTasks): Promise<number> {
  return (await tasks.list({ limit: 1 })).total;
}

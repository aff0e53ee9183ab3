import { Router } from 'express';
import type { ServerTasks } from '../../session/server-tasks.js';
import { within } from '../../util/within.js';
import type { Metrics } from '../metrics.js';

/** For those who run the server: is it alive, does it take work, what does it do. */
export function healthRoutes(tasks: ServerTasks, metrics: Metrics, version: string): Router {
  const router = Router();
  const totalTasks = taskCounter(tasks);

  router.get('/health', async (_request, response) => {
    const { running } = tasks.counts;
    const total = await totalTasks();
    response.json({ status: 'healthy', uptime: process.uptime(), activeTasks: running, totalTasks: total, version });
  });

  router.get('/ready', async (_request, response) => {
    await tasks.checkReady();
    response.json({ status: 'ready' });
  });

  router.get('/metrics', async (_request, response) => {
    response.set('content-type', metrics.contentType).end(await metrics.text());
  });

  return router;
}

/** Long enough for a store that is well. One that is not is a reason not to be ready, not one to be started again. */
const countMs = 100;

/** How many tasks there are; what was last known of it while the store does not answer, which is asked once at a time. */
function taskCounter(tasks: ServerTasks): () => Promise<number> {
  let known: number | undefined;
  let asking: Promise<void> | undefined;
  const ask = async (): Promise<void> => {
    known = (await tasks.list({ limit: 1 })).total;
  };
  return async () => {
    asking ??= ask()
      .catch(() => undefined)
      .finally(() => (asking = undefined));
    await within(countMs, asking, () => undefined);
    return known ?? tasks.counts.loaded;
  };
}

import type { ServerTasks } from '../../tasks/server-tasks.js';
import { within } from '../../util/within.js';

/** Long enough for a healthy store. A slow store should make the server not ready, but not get it restarted. */
const countMs = 100;

/** The number of tasks, or the last known number if the store does not answer. Only one query runs at a time. */
export function taskCounter(tasks: ServerTasks): () => Promise<number> {
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

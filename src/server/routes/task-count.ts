import type { ServerTasks } from '../../tasks/server-tasks.js';
import { within } from '../../util/within.js';

/** Long enough for a store that is well. One that is not is a reason not to be ready, not one to be started again. */
const countMs = 100;

/** How many tasks there are; what was last known of it while the store does not answer, which is asked once at a time. */
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

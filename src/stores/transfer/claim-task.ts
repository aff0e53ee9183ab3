import { AppError } from '../../domain/errors.js';
import type { Store } from '../store.js';

/** Claims a task that no server uses: it is free, or its server has let its lease expire. Throws `task-elsewhere` otherwise. */
export async function claimTask(store: Store, id: string): Promise<void> {
  const holder = await store.holder(id);
  const isAlive = async (): Promise<boolean> =>
    (await store.servers()).some((server) => server.id === holder?.server && server.leftMs > 0);
  const from = holder && !(await isAlive()) ? holder.server : undefined;
  if ((await store.claim(id, from)) !== undefined) return;
  throw new AppError('task-elsewhere', `a server is using the task "${id}"`);
}

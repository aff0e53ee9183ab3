import { randomUUID } from 'node:crypto';
import type { ServeOptions } from '../../cli/argv/serve-options.js';
import { Claims } from '../../tasks/claims.js';
import { openStore, type OpenStoreOptions } from '../../stores/open.js';
import type { ServerLock } from '../../stores/sqlite/server-lock.js';
import type { Store } from '../../stores/store.js';
import { defined } from '../../util/defined.js';

export type SharedStore = {
  readonly store: Store;
  readonly claims: Claims;
  /** Shows the other servers that this one has stopped. */
  readonly unlock: () => void;
};

/** Opens the server's store, and the claims that decide which of the servers on it runs which task. */
export async function openSharedStore(
  { store: url, leaseMs, publicUrl }: Pick<ServeOptions, 'store' | 'leaseMs' | 'publicUrl'>,
  { stateDir, env }: OpenStoreOptions,
  { isGone, onError }: { isGone: (server: string) => boolean; onError: (error: unknown) => void },
): Promise<SharedStore> {
  const server = randomUUID();
  const store = await openStore(url, { stateDir, env, server });
  const lock = url === 'memory:' ? undefined : await lockIn(stateDir, server, onError);
  const claims = new Claims({
    store,
    leaseMs,
    ...defined({ url: publicUrl }),
    isDead: (id) => isGone(id) || (lock?.isDead(id) ?? false),
    onError,
  });
  return { store, claims, unlock: () => lock?.release() };
}

/** If the folder cannot hold a lock, there is none. After a crash, other servers then wait until the lease expires. */
async function lockIn(
  stateDir: string,
  server: string,
  onError: (error: unknown) => void,
): Promise<ServerLock | undefined> {
  const { lockServer } = await import('../../stores/sqlite/server-lock.js');
  try {
    return lockServer(stateDir, server);
  } catch (error) {
    onError(error);
    return undefined;
  }
}

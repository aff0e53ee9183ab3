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
  /** Lets the others know that this server is no more, when it is not. */
  readonly unlock: () => void;
};

/** The store of the server, and what settles with the other servers on it which tasks are whose. */
export async function openSharedStore(
  { store: url, leaseMs, publicUrl }: Pick<ServeOptions, 'store' | 'leaseMs' | 'publicUrl'>,
  { stateDir, env }: OpenStoreOptions,
  onError: (error: unknown) => void,
): Promise<SharedStore> {
  const server = randomUUID();
  const store = await openStore(url, { stateDir, env, server });
  const lock = url === 'memory:' ? undefined : await lockIn(stateDir, server, onError);
  const claims = new Claims({
    store,
    leaseMs,
    ...defined({ url: publicUrl }),
    isDead: (id) => lock?.isDead(id) ?? false,
    onError,
  });
  return { store, claims, unlock: () => lock?.release() };
}

/** Without a folder to keep it in there is no lock: after a crash the lease must run out then. */
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

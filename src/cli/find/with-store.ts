import { openStore } from '../../stores/open.js';
import { storePlace } from '../../stores/store-place.js';
import type { Store } from '../../stores/store.js';
import { UsageError } from '../../util/usage-error.js';
import { defaultStore } from '../argv/serve-options.js';
import type { Io } from '../view/io.js';

/** Opens the store that `cosession serve` would use, or the given one, and closes it afterwards. */
export async function withStore<T>(
  given: string | undefined,
  { env, stateDir }: Io,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const url = given ?? (env['COSESSION_STORE'] || defaultStore(env, false));
  if (url === 'memory:') throw new UsageError(`--store ${storePlace(url)} exists only inside a running server`);
  const store = await openStore(url, { stateDir, env });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

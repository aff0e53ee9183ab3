import { openStore } from '../../src/stores/open.js';
import type { Store } from '../../src/stores/store.js';

/** A place nobody has stored anything in yet. */
export type Place = { readonly url: string; readonly env: Record<string, string> };

/** As a server opens it, but nobody in a test waits for others to share an object with. */
export function openPlace({ url, env }: Place, server?: string): Promise<Store> {
  const options = { stateDir: '/nowhere', env, bucket: { lingerMs: 0 } };
  return openStore(url, server === undefined ? options : { ...options, server });
}

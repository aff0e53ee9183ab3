import { ApiError, forgetPageKey, get, pageKey } from './api.js';
import { keptName } from './kept-name.js';
import type { Me } from './me.js';

/** `ended`: the server knew this browser once. `unpaired`: it never did. */
export async function loadMe(): Promise<Me | 'ended' | 'unpaired'> {
  try {
    const me = await get<Me>('ui/me');
    return { ...me, name: keptName() ?? me.name };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    const isEnded = pageKey() !== undefined;
    // Half of a pairing that has ended is of no use.
    forgetPageKey();
    return isEnded ? 'ended' : 'unpaired';
  }
}

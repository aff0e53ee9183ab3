import { ApiError, get } from './api.js';
import type { Me } from './me.js';

/** Undefined: the server does not know this browser. */
export async function loadMe(): Promise<Me | undefined> {
  try {
    return await get<Me>('ui/me');
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return undefined;
    throw error;
  }
}

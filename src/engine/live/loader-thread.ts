import type { LoadHook } from 'node:module';
import { isUiFile, patchSource } from './patch.js';

/** Module hook, run on Node's loader thread. It passes on everything except the user interface untouched. */
export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  return isUiFile(url) && loaded.source ? { ...loaded, source: patchSource(loaded.source) } : loaded;
};

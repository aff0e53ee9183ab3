import type { LoadHook } from 'node:module';
import { isUiFile, patch } from './patch.js';

/** Module hook, run on Node's loader thread. It passes on everything except the user interface untouched. */
export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  if (!isUiFile(url) || loaded.source === undefined || loaded.source === null) return loaded;
  return { ...loaded, source: patch(asText(loaded.source)) };
};

function asText(source: string | ArrayBuffer | NodeJS.TypedArray): string {
  return typeof source === 'string' ? source : new TextDecoder().decode(source);
}

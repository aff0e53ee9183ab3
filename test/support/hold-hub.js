/// <reference types="node" />
// Loaded into the Gemini CLI with `node --import`: our hub is loaded only once the file that HOLD_HUB_UNTIL names exists.
// Registers itself as a hook of Node's module loader, which runs it a second time, in a thread of its own.
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) register(import.meta.url);

const file = JSON.stringify(process.env['HOLD_HUB_UNTIL'] ?? '');
/** In the module itself: a hook that waits may stop the whole thread that loads. */
const hold = `
import { existsSync as holdExists } from 'node:fs';
while (!holdExists(${file})) await new Promise((resolve) => setTimeout(resolve, 20));
`;

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!/\/dist\/chunks\/app-\w+\.js$/.test(url)) return loaded;
  return { ...loaded, source: hold + new TextDecoder().decode(/** @type {Uint8Array} */ (loaded.source)) };
}

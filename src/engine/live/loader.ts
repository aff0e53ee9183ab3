import { promises } from 'node:fs';
import nodeModule, { register } from 'node:module';
import { isUiFile, patchSource, type Source } from './patch.js';

/** Options of Node that load something before us, which may hook into the loading of modules, too. */
const loadsFirst = /(^|\s)(-r|--(require|import|loader|experimental-loader))\b/;

/**
 * Patches the CLI's user interface while Node loads it, and nothing else. In this thread, if possible: `module.register` starts a
 * second one, which takes memory and which every module of the CLI waits for. `nodeOptions` is the variable of that name.
 */
export function patchOnLoad(nodeOptions = ''): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not in the types of Node 20, which does not have it
  const { registerHooks } = nodeModule as SyncHooks;
  // If that thread runs already, it reads the modules.
  if (loadsFirst.test(nodeOptions)) register('./loader-thread.js', import.meta.url);
  else if (registerHooks) registerHooks({ load: patchLoaded });
  else patchOnRead();
}

function patchLoaded(url: string, context: object, nextLoad: NextLoad): Loaded {
  const loaded = nextLoad(url, context);
  return isUiFile(url) && loaded.source ? { ...loaded, source: patchSource(loaded.source) } : loaded;
}

/** Node before 22.15 has no hooks in this thread. It reads the source of a module with this function, given its URL. */
function patchOnRead(): void {
  const { readFile } = promises;
  const read = async (...args: Parameters<typeof readFile>): ReturnType<typeof readFile> => {
    const [file] = args;
    const source = await readFile(...args);
    return file instanceof URL && isUiFile(file.href) ? Buffer.from(patchSource(source)) : source;
  };
  Object.assign(promises, { readFile: read });
}

type SyncHooks = { readonly registerHooks?: (hooks: { readonly load: typeof patchLoaded }) => void };
type Loaded = { readonly source?: Source };
type NextLoad = (url: string, context: object) => Loaded;

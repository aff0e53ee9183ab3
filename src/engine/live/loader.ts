import { promises } from 'node:fs';
import nodeModule from 'node:module';
import { isUiFile, patch } from './patch.js';

/**
 * Patches the CLI's user interface while Node loads it, and nothing else. It does so in this thread: `module.register` would
 * start a second one, which takes memory and which every module of the CLI would wait for.
 */
export function patchOnLoad(): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not in the types of Node 20, which does not have it
  const { registerHooks } = nodeModule as SyncHooks;
  if (registerHooks) {
    registerHooks({
      load(url, context, nextLoad) {
        const loaded = nextLoad(url, context);
        return isUiFile(url) && loaded.source ? { ...loaded, source: patched(loaded.source) } : loaded;
      },
    });
  } else {
    patchOnRead();
  }
}

/** Node before 22.15 has no hooks in this thread. It reads the source of a module with this function, given its URL. */
function patchOnRead(): void {
  const { readFile } = promises;
  const read = async (...args: Parameters<typeof readFile>): ReturnType<typeof readFile> => {
    const [file] = args;
    const source = await readFile(...args);
    return file instanceof URL && isUiFile(file.href) ? Buffer.from(patched(source)) : source;
  };
  Object.assign(promises, { readFile: read });
}

type Source = string | ArrayBuffer | NodeJS.TypedArray;

function patched(source: Source): string {
  return patch(typeof source === 'string' ? source : new TextDecoder().decode(source));
}

type SyncHooks = {
  readonly registerHooks?: (hooks: { load(url: string, context: object, nextLoad: NextLoad): Loaded }) => void;
};
type Loaded = { readonly source?: Source };
type NextLoad = (url: string, context: object) => Loaded;

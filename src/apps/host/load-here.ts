import { pathToFileURL } from 'node:url';
import { constants, Script } from 'node:vm';
import type { CliStart } from '../../engine/live/launch.js';

/** Runs the CLI in this process, as if Node had been started with it. Never resolves: the CLI ends the process. */
export async function loadHere({ entry, args, env, preload }: CliStart): Promise<never> {
  Object.assign(process.env, env);
  process.argv.splice(1, process.argv.length, entry, ...args);
  // As with `node --import`.
  process.execArgv.push('--import', preload);
  // Ours until now: the CLI may end without one.
  process.exitCode = undefined;
  await importModule(pathToFileURL(preload).href);
  await importModule(pathToFileURL(entry).href);
  return new Promise(() => {});
}

/** In our own files, `import()` loads scripts only (scripts/as-scripts.js). */
function importModule(url: string): Promise<unknown> {
  const script = new Script('(url) => import(url)', {
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the line above
  return (script.runInThisContext() as (url: string) => Promise<unknown>)(url);
}

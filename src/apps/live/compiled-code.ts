import { existsSync, rmSync } from 'node:fs';
import nodeModule from 'node:module';
import { join } from 'node:path';
import { cacheDir } from '../../config/cache-dir.js';

/** The CLI has 20 MB of code. Node from 22.1 can keep what it has compiled of it, for the next start. */
export function keepCompiledCode(env: NodeJS.ProcessEnv, version: string): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not in the types of Node 20, which does not have it
  const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: (folder: string) => void };
  const folder = cacheDir(env);
  if (!enableCompileCache || folder === undefined) return;
  const all = join(folder, 'gemini-cli');
  const ours = join(all, version);
  // Node never removes what it kept of files that are gone: a new release begins anew.
  if (!existsSync(ours)) rmSync(all, { recursive: true, force: true });
  enableCompileCache(ours);
}

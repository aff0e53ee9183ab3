import { homedir } from 'node:os';
import { join } from 'node:path';
import { checkPrivate } from './private-folder.js';

/**
 * The folder for what Cosession can make again: it may be removed at any time. Undefined if other users could write to it, because
 * there is code in it.
 */
export function cacheDir(env: NodeJS.ProcessEnv, platform = process.platform): string | undefined {
  try {
    const folder = join(env['XDG_CACHE_HOME'] ?? join(homedir(), ...defaultOf(platform)), 'cosession');
    checkPrivate(folder, []);
    return folder;
  } catch {
    return undefined;
  }
}

/** On a Mac, tools in the sandbox of the Gemini CLI may write to `~/.cache`. */
function defaultOf(platform: NodeJS.Platform): readonly string[] {
  return platform === 'darwin' ? ['Library', 'Caches'] : ['.cache'];
}

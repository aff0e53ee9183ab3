import { homedir } from 'node:os';
import { join } from 'node:path';
import { checkPrivate } from './private-folder.js';

/**
 * The folder for everything that Cosession keeps between commands: discovery files, tokens, logs, the demo's home. Throws if
 * other users may write to it.
 */
export function stateDir(env: NodeJS.ProcessEnv): string {
  const folder =
    env['COSESSION_STATE_DIR'] ?? join(env['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state'), 'cosession');
  checkPrivate(folder, ['tokens', 'sessions']);
  return folder;
}

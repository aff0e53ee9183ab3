import { homedir } from 'node:os';
import { join } from 'node:path';
import { checkPrivate } from './private-folder.js';

/**
 * Where Cosession keeps what it must remember between commands: discovery files, tokens, logs, the demo's home. Throws if
 * others may write there.
 */
export function stateDir(env: NodeJS.ProcessEnv): string {
  const folder =
    env['COSESSION_STATE_DIR'] ?? join(env['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state'), 'cosession');
  checkPrivate(folder, ['tokens', 'sessions']);
  return folder;
}

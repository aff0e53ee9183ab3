import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where Cosession keeps what it must remember between commands: discovery files, logs, the demo's home. */
export function stateDir(env: NodeJS.ProcessEnv): string {
  return env['COSESSION_STATE_DIR'] ?? join(env['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state'), 'cosession');
}

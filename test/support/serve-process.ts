import { endAfter } from './leftovers.js';
import { type ServeProcess, type ServeProcessOptions, spawnServe } from './spawn-serve.js';

export type { ServeProcess, ServeProcessOptions };

/** The built `cosession serve`, for a test: it is killed after it. */
export function startServe(options: ServeProcessOptions): Promise<ServeProcess> {
  return spawnServe(options, (child) => endAfter('test', () => child.kill('SIGKILL')));
}

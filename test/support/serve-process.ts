import { endAfter } from './leftovers.js';
import { type ServeProcess, type ServeProcessOptions, spawnServe } from './spawn-serve.js';

export type { ServeProcess, ServeProcessOptions };

/** The built `cosession serve`, for a test or for all tests of a file: it is killed after it. */
export function startServe(options: ServeProcessOptions, until: 'test' | 'file' = 'test'): Promise<ServeProcess> {
  return spawnServe(options, (child) => endAfter(until, () => child.kill('SIGKILL')));
}

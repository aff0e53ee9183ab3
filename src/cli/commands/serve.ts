import { runServe } from '../../apps/serve/main.js';
import type { GivenTo } from '../argv/commands.js';
import { serveOptions } from '../argv/serve-options.js';
import type { Io } from '../view/io.js';

/** `cosession serve`: runs until a signal stops it. */
export function serveCommand({ flags }: GivenTo<'serve'>, { env, folder, stateDir }: Io): Promise<number> {
  return runServe(serveOptions(flags, env, folder), { env, stateDir });
}

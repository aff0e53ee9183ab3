import { commands } from '../../src/cli/argv/commands.js';
import { parseCommand } from '../../src/cli/argv/parse.js';
import { type ServeOptions, serveOptions } from '../../src/cli/argv/serve-options.js';

/** What `cosession serve` reads off its command line. */
export function readServeOptions(argv: readonly string[], env: NodeJS.ProcessEnv, folder: string): ServeOptions {
  return serveOptions(parseCommand('cosession serve', commands.serve, argv, env).flags, env, folder);
}

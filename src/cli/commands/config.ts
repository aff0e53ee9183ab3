import type { GivenTo } from '../argv/commands.js';
import { commands } from '../argv/commands.js';
import { readConfigFile } from '../argv/config-file.js';
import { parseCommand } from '../argv/parse.js';
import { serveOptions } from '../argv/serve-options.js';
import { UsageError } from '../../util/usage-error.js';
import type { Io } from '../view/io.js';

/** `cosession config check`: says what is wrong with a configuration file, without starting a server. */
export async function config({ words }: GivenTo<'config'>, { stdout, folder }: Io): Promise<number> {
  const [, file] = words;
  if (file === undefined) throw new UsageError('cosession config check needs a file');
  const found = await readConfigFile(file, commands.serve.flags);
  // Variables are left out: the file may be for another machine.
  const { flags } = parseCommand('cosession serve', commands.serve, [], {}, found);
  serveOptions(flags, {}, folder);
  const names = [...found.texts.keys()].map((name) => name.slice(2));
  stdout.write(`${file} is valid: ${names.length === 0 ? 'it sets nothing' : `it sets ${names.join(', ')}`}.\n`);
  return 0;
}

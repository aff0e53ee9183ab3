import { UsageError } from '../../util/usage-error.js';
import type { GivenTo } from '../argv/commands.js';
import { bashCompletion } from './completion/bash.js';
import { fishCompletion } from './completion/fish.js';
import { zshCompletion } from './completion/zsh.js';
import type { Io } from '../view/io.js';

const scripts: Readonly<Record<string, () => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** `cosession completion <shell>`: prints the code that completes our commands, flags and sessions. */
export async function completion({ words: [shell = ''] }: GivenTo<'completion'>, { stdout }: Io): Promise<number> {
  const script = scripts[shell];
  if (!script) throw new UsageError('cosession completion needs a shell: bash, zsh or fish');
  stdout.write(script());
  return 0;
}

import type { GivenTo } from '../argv/commands.js';
import type { Io } from '../view/io.js';

/** `cosession alias`: prints shell code for `eval` that makes "gemini" start this cosession. */
export async function alias(_given: GivenTo<'alias'>, { env, program, stdout }: Io): Promise<number> {
  stdout.write(aliasFor(env['SHELL'] ?? '', ...program));
  return 0;
}

export function aliasFor(shell: string, node: string, script: string): string {
  const command = `${quote(node)} ${quote(script)}`;
  if (shell.endsWith('fish')) return `function gemini; ${command} $argv; end\n`;
  return `gemini() { ${command} "$@"; }\n`;
}

function quote(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

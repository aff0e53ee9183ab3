import type { CliCommand } from '../../src/cli/argv/command.js';
import { explain, usageLineOf } from '../../src/cli/argv/help.js';
import { variableOf } from '../../src/cli/argv/parse.js';

/** The flags of a command as a table in Markdown, with their variables where it has some. */
export function flagTable({ flags, envPrefix }: Pick<CliCommand, 'flags' | 'envPrefix'>): string {
  const variables = envPrefix === undefined ? [] : ['variable'];
  const header = ['flag', ...variables, 'what'];
  const rows = Object.values(flags).map((flag) => {
    const variable = variableOf(flag, envPrefix);
    return [`\`${usageLineOf(flag)}\``, ...(variable === undefined ? [] : [`\`${variable}\``]), explain(flag)];
  });
  return [header, header.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}

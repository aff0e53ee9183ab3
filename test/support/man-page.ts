import { readFileSync } from 'node:fs';
import type { CliCommand } from '../../src/cli/argv/command.js';
import { commands } from '../../src/cli/argv/commands.js';
import type { Flags } from '../../src/cli/argv/flag.js';
import { explain, usageLineOf } from '../../src/cli/argv/help.js';
import { liveFlags } from '../../src/cli/argv/live-flags.js';
import { variableOf } from '../../src/cli/argv/parse.js';
import { exitCodes } from '../../src/cli/argv/exit-codes.js';

/** man/cosession.1, from the table of commands and flags. */
export function manPage(): string {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const released = /^## \[[\d.]+\] - (\S+)/m.exec(readFileSync('CHANGELOG.md', 'utf8'))?.[1];
  const lines = [
    `.\\" Made by npm run docs from src/cli/argv; do not edit.`,
    `.TH COSESSION 1 "${released}" "cosession ${version}" "User Commands"`,
    '.SH NAME',
    'cosession \\- one live Gemini CLI session, shared by its terminal, programs and people',
    '.SH SYNOPSIS',
    '.B cosession',
    '[flags] [any gemini flag or prompt]',
    '.br',
    '.B cosession',
    'command [operands] [flags]',
    '.SH DESCRIPTION',
    text(
      'Starts the Gemini CLI in this terminal. With --a2a-port its session is shared with other programs and people.',
    ),
    text('Every flag and word that is not listed here goes to the Gemini CLI: cosession -- --help lists its own.'),
    '.SH OPTIONS',
    ...flagLines(liveFlags),
    '.SH COMMANDS',
    ...Object.entries<CliCommand>(commands).flatMap(commandLines),
    '.SH EXIT STATUS',
    ...Object.values(exitCodes).flatMap(({ code, meaning }) => item(String(code), meaning)),
    'Without a command, the status is that of the Gemini CLI.',
    '.SH ENVIRONMENT',
    ...item('COSESSION_STATE_DIR', 'where sessions, tokens, logs and tasks are kept'),
    ...item('COSESSION_TOKEN', 'token of a session that cosession ls does not list'),
    ...item('NO_COLOR', 'no colours'),
    '.SH SEE ALSO',
    text('docs/README.md in the folder of the package has an index of all pages.'),
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines([name, { operands, summary, flags, envPrefix }]: [string, CliCommand]): string[] {
  return [
    `.SS cosession ${text(name)}${operands === undefined ? '' : ` ${text(operands)}`}`,
    `${text(summary)}.`,
    ...flagLines(flags, envPrefix),
  ];
}

function flagLines(flags: Flags, envPrefix?: string): string[] {
  return Object.values(flags).flatMap((flag) => {
    const variable = variableOf(flag, envPrefix);
    return item(usageLineOf(flag), `${explain(flag)}${variable === undefined ? '' : ` [${variable}]`}`);
  });
}

function item(term: string, meaning: string): string[] {
  return ['.TP', `.B ${text(term)}`, text(meaning)];
}

/** A line of roff: backslashes and dashes are escaped, and no line starts with a control character. */
function text(line: string): string {
  const escaped = line.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('…', '...');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

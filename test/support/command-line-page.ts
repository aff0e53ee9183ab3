import type { CliCommand } from '../../src/cli/argv/command.js';
import { commands } from '../../src/cli/argv/commands.js';
import { exitCodes } from '../../src/cli/argv/exit-codes.js';
import { liveFlags } from '../../src/cli/argv/live-flags.js';
import { flagTable } from './flag-table.js';
import { formatted } from './formatted.js';

const page = 'docs/command-line.md';

/** docs/command-line.md: every command and flag. */
export async function commandLinePage(): Promise<string> {
  const text = `# Command line

This page is made from the table that the program itself reads (\`src/cli/argv/\`); do not edit it: \`npm run docs\` writes it.
\`cosession <command> --help\` shows the same in a terminal.

## \`cosession [flags] [any gemini flag or prompt]\`

Starts the Gemini CLI in this terminal. With \`--a2a-port\` its session is shared; without, \`/a2a on\` shares it later. Every flag
and word that is not in this table goes to the Gemini CLI untouched; \`cosession -- --help\` shows its own flags. A word that looks
like a mistyped command or flag of Cosession, and means nothing to the Gemini CLI, is refused with a suggestion, so that it does
not become a prompt. A prompt in quotes always is one: \`cosession "fix the tests"\`.

${flagTable({ flags: liveFlags })}

${Object.entries<CliCommand>(commands).map(section).join('\n\n')}

## Exit codes

| code | when |
| --- | --- |
${Object.values(exitCodes)
  .map(({ code, meaning }) => `| ${code} | ${meaning} |`)
  .join('\n')}

Without a command, the code is that of the Gemini CLI.

## Variables that are not flags

| variable | what |
| --- | --- |
| \`COSESSION_STATE_DIR\` | where sessions, tokens, logs and tasks are kept (default \`$XDG_STATE_HOME/cosession\` or \`~/.local/state/cosession\`) |
| \`XDG_CACHE_HOME\` | compiled code is kept in its folder \`cosession\` for the next start (default \`~/.cache\`, on a Mac \`~/Library/Caches\`) |
| \`NODE_DISABLE_COMPILE_CACHE\` | set to 1, no compiled code is kept |
| \`GEMINI_CLI_NO_RELAUNCH\` | the Gemini CLI runs in one process; before Node 22.15 with Node's own memory limit, and it ends when it asks to be restarted |
| \`NO_COLOR\` | no colours |
`;
  return formatted(page, text);
}

function section([name, command]: [string, CliCommand]): string {
  const { operands, summary, flags, variables, envPrefix } = command;
  const usage = ['cosession', name, ...(operands === undefined ? [] : [operands])].join(' ');
  const also = Object.entries(variables ?? {}).map(([variable, what]) => `\`${variable}\`: ${what}.`);
  const table =
    envPrefix === undefined
      ? flagTable(command)
      : 'Its flags and variables: [the server](server.md#flags-and-environment-variables).';
  const parts = [
    `## \`${usage}\``,
    `${capitalised(summary)}.`,
    ...(Object.keys(flags).length > 0 ? [table] : []),
    ...also,
  ];
  return parts.join('\n\n');
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

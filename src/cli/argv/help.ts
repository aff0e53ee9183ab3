import type { CliCommand } from './command.js';
import { type CommandName, commands } from './commands.js';
import type { Flag, Flags } from './flag.js';
import { liveFlags } from './live-flags.js';
import { variableOf } from './parse.js';

type Row = readonly [left: string, right: string];

const helpRow: Row = ['-h, --help', 'show this help'];

/** What `cosession --help` prints. `index` is where the documentation begins on this machine. */
export function overview(index: string): string {
  const rows = Object.entries<CliCommand>(commands).map(([name, row]): Row => [withOperands(name, row), row.summary]);
  return `Cosession: one live Gemini CLI session, shared by its terminal, programs and people.

Usage
${table([
  ['cosession --a2a-port <port> [any gemini flag or prompt]', 'start the Gemini CLI and share its session'],
  ['cosession [any gemini flag or prompt]', 'plain Gemini CLI; /a2a on shares it later'],
  ['cosession --engine "<command>" [--a2a-port <port>]', 'run any ACP agent instead (goose, opencode, …) and share it'],
  ['cosession <command>', 'run a command listed below; see cosession <command> --help'],
])}

Commands
${table(rows)}

Flags (all others are passed to the Gemini CLI: cosession -- --help lists them)
${table([...flagRows(liveFlags), ['-v, --version', 'show the versions of cosession and of the Gemini CLI'], helpRow])}

In the terminal
  /a2a on [port]   share the running session     /a2a off   stop sharing     /a2a   status and clients
  /a2a qr [role]   pair a phone or a browser     /a2a devices [end <name>]   what is paired

Try it
  cosession --demo --a2a-port 41243
  curl http://localhost:41243/.well-known/agent-card.json
  npx wscat -c ws://localhost:41243/ws

Documentation
  ${index}
`;
}

/** What `cosession <command> --help` prints. */
export function commandHelp(name: CommandName): string {
  const command: CliCommand = commands[name];
  const { flags, envPrefix, variables, notes } = command;
  const hasFlags = Object.keys(flags).length > 0;
  const sections = [
    `cosession ${name}: ${command.summary}`,
    `Usage\n  cosession ${withOperands(name, command)}${hasFlags ? ' [flags]' : ''}`,
    `Flags${envPrefix === undefined ? '' : ', each with its environment variable (separate lists with commas)'}
${table([...flagRows(flags, envPrefix), helpRow])}`,
    ...(variables ? [`Environment\n${table(Object.entries(variables))}`] : []),
    ...(notes === undefined ? [] : [notes]),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** `--name <value>`, as the help and the documentation show a flag. */
export function usageLineOf({ name, value }: Flag): string {
  return value === undefined ? name : `${name} <${value}>`;
}

/** The help of a flag, with its default and whether it can be repeated. */
export function explain({ help, default: byDefault, isRepeatable }: Flag): string {
  return `${help}${byDefault === undefined ? '' : ` (default ${byDefault})`}${isRepeatable ? ' (repeatable)' : ''}`;
}

function withOperands(name: string, { operands }: CliCommand): string {
  return operands === undefined ? name : `${name} ${operands}`;
}

function flagRows(flags: Flags, envPrefix?: string): Row[] {
  return Object.values(flags).map((flag) => {
    const variable = variableOf(flag, envPrefix);
    return [usageLineOf(flag), `${explain(flag)}${variable === undefined ? '' : ` [${variable}]`}`];
  });
}

function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([left]) => left.length)) + 3;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join('\n');
}

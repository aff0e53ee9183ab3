#!/usr/bin/env node
import { parseFlags, UsageError } from './config/flags.js';
import { help } from './config/help.js';
import { stateDir } from './config/state-dir.js';
import { startLive } from './app.js';
import { findCli } from './engine/live/find-cli.js';
import { version } from './config/version.js';

/** Commands of our own; everything else starts the Gemini CLI. */
const commands: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  async ls(args) {
    const { listSessions } = await import('./discovery/list-sessions.js');
    process.stdout.write(await listSessions(stateDir(process.env), args));
    return 0;
  },
  async alias() {
    const { aliasFor } = await import('./config/alias.js');
    process.stdout.write(aliasFor(process.env['SHELL'] ?? '', process.execPath, process.argv[1] ?? 'cosession'));
    return 0;
  },
};

async function main(argv: readonly string[]): Promise<number> {
  const [first = '', ...rest] = argv;
  const command = Object.hasOwn(commands, first) ? commands[first] : undefined;
  if (command) return command(rest);
  const flags = parseFlags(argv);
  const asks = (...names: string[]): boolean => flags.geminiArgs.length === 1 && names.includes(first);
  if (asks('--help', '-h')) return print(help);
  if (asks('--version', '-v'))
    return print(`cosession ${version}\ngemini-cli ${findCli(flags.geminiCli, process.env['PATH']).version}\n`);
  return startLive(flags, process.env);
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`cosession: ${message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

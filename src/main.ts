#!/usr/bin/env node
import type { Io } from './commands/io.js';
import type { CommandName } from './commands/run-command.js';
import { parseFlags, UsageError } from './config/flags.js';
import { help } from './config/help.js';
import { serveHelp } from './config/serve-flags.js';
import { stateDir } from './config/state-dir.js';
import { startAgent, startLive } from './app.js';
import { findCli } from './engine/live/find-cli.js';
import { version } from './config/version.js';
import { sanitize } from './util/sanitize.js';

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
  async serve(args) {
    if (args.includes('--help') || args.includes('-h')) return print(serveHelp());
    const { runServe } = await import('./serve/main.js');
    return runServe(args);
  },
  async token(args) {
    const { tokenCommand } = await import('./commands/token.js');
    return print(await tokenCommand(args, stateDir(process.env)));
  },
  watch: (args) => talkToSession('watch', args),
  send: (args) => talkToSession('send', args),
  approve: (args) => talkToSession('approve', args),
  cancel: (args) => talkToSession('cancel', args),
  acp: (args) => talkToSession('acp', args),
  attach: (args) => talkToSession('attach', args),
};

async function talkToSession(name: CommandName, args: readonly string[]): Promise<number> {
  if (args[0] === '--help' || args[0] === '-h') return print(help);
  const { runCommand } = await import('./commands/run-command.js');
  return runCommand(name, args, ourIo());
}

function ourIo(): Io {
  const { stdin, stdout, env } = process;
  return {
    stdin,
    stdout,
    folder: process.cwd(),
    stateDir: stateDir(env),
    token: env['COSESSION_TOKEN'],
    useColor: stdout.isTTY && !env['NO_COLOR'],
  };
}

async function main(argv: readonly string[]): Promise<number> {
  const [first = '', ...rest] = argv;
  const command = Object.hasOwn(commands, first) ? commands[first] : undefined;
  if (command) return command(rest);
  const flags = parseFlags(argv);
  const asks = (...names: string[]): boolean => flags.geminiArgs.length === 1 && names.includes(first);
  if (asks('--help', '-h')) return print(help);
  if (asks('--version', '-v'))
    return print(`cosession ${version}\ngemini-cli ${findCli(flags.geminiCli, process.env['PATH']).version}\n`);
  if (flags.engine !== undefined) return startAgent(flags.engine, flags, process.env, ourIo());
  return startLive(flags, process.env, ourIo());
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  // What another program said may be part of it.
  process.stderr.write(`cosession: ${sanitize(message)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

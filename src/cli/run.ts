import { version } from '../config/version.js';
import { findCli } from '../engine/live/find-cli.js';
import { isCommand } from './argv/commands.js';
import { liveFlags } from './argv/live-flags.js';
import { parseBesides } from './argv/parse.js';
import { refuseTypos } from './argv/typos.js';
import { startLive } from './commands/live.js';
import { printHelp, runCommand } from './run-command.js';
import type { Io } from './view/io.js';

/** Runs the given command line. Resolves to the exit code. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const [first, ...more] = argv;
  if (isCommand(first)) return runCommand(first, more, io);
  const [topic, ...others] = more;
  // "help me with …" is a prompt.
  const asksAbout = others.length === 0 && (topic === undefined || isCommand(topic));
  if (first === 'help' && asksAbout) return printHelp(topic, io);
  const { flags, rest } = parseBesides('cosession', liveFlags, argv);
  const only = rest.length === 1 ? rest[0] : undefined;
  if (only === '--help' || only === '-h') return printHelp(undefined, io);
  if (only === '--version' || only === '-v') {
    const cli = findCli(flags.geminiCli, io.env['PATH']);
    io.stdout.write(`cosession ${version}\ngemini-cli ${cli.version}\n`);
    return 0;
  }
  if (flags.engine === undefined) return startLive(flags, rest, io);
  refuseTypos(rest, () => false);
  const { runAgentCommand } = await import('./commands/agent.js');
  return runAgentCommand(flags.engine, flags, rest, io);
}

import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CliCommand } from './argv/command.js';
import { type CommandName, commands, type GivenTo } from './argv/commands.js';
import { commandHelp, overview } from './argv/help.js';
import { type ConfigFile, readConfigFile } from './argv/config-file.js';
import { asksForHelp, parseCommand, textOfFlag } from './argv/parse.js';
import type { Io } from './view/io.js';

type Run = (argv: readonly string[], io: Io) => Promise<number>;

/** Each command is loaded only when it runs. */
const runs: { readonly [Name in CommandName]: Run } = {
  serve: parsed('serve', async () => (await import('./commands/serve.js')).serveCommand),
  ls: parsed('ls', async () => (await import('./commands/ls.js')).ls),
  attach: parsed('attach', async () => (await import('./commands/attach.js')).attach),
  watch: parsed('watch', async () => (await import('./commands/watch.js')).watch),
  send: parsed('send', async () => (await import('./commands/send.js')).send),
  approve: parsed('approve', async () => (await import('./commands/approve.js')).approve),
  cancel: parsed('cancel', async () => (await import('./commands/cancel.js')).cancel),
  acp: parsed('acp', async () => (await import('./commands/acp.js')).acp),
  open: parsed('open', async () => (await import('./commands/open.js')).open),
  share: parsed('share', async () => (await import('./commands/share.js')).share),
  token: parsed('token', async () => (await import('./commands/token.js')).token),
  tasks: parsed('tasks', async () => (await import('./commands/tasks.js')).tasks),
  store: parsed('store', async () => (await import('./commands/store.js')).store),
  config: parsed('config', async () => (await import('./commands/config.js')).config),
  drain: parsed('drain', async () => (await import('./commands/drain.js')).drain),
  audit: parsed('audit', async () => (await import('./commands/audit.js')).audit),
  completion: parsed('completion', async () => (await import('./commands/completion.js')).completion),
  alias: parsed('alias', async () => (await import('./commands/alias.js')).alias),
};

/** Runs a command with its arguments. Resolves to the exit code. */
export async function runCommand(name: CommandName, argv: readonly string[], io: Io): Promise<number> {
  const { verbs }: CliCommand = commands[name];
  if (asksForHelp(argv) || (verbs && argv.length === 0)) return printHelp(name, io);
  return runs[name](argv, io);
}

export function printHelp(name: CommandName | undefined, { stdout, program }: Io): number {
  stdout.write(name === undefined ? overview(documentation(program[1])) : commandHelp(name));
  return 0;
}

/** The docs are in the package, beside `dist/`, to which the command is a link. */
function documentation(script: string): string {
  return join(dirname(realpathSync(script)), '..', 'docs', 'README.md');
}

/** Parses the arguments as the table describes them before the command runs. */
function parsed<Name extends CommandName>(
  name: Name,
  load: () => Promise<(given: GivenTo<Name>, io: Io) => Promise<number>>,
): Run {
  return async (argv, io) => {
    const program = `cosession ${name}`;
    const config = await configOf(program, commands[name], argv, io.env);
    const given = parseCommand<(typeof commands)[Name]>(program, commands[name], argv, io.env, config);
    const run = await load();
    return run(given, io);
  };
}

/** The settings of the file that `--config` names. */
async function configOf(
  program: string,
  command: CliCommand,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<ConfigFile | undefined> {
  const flag = command.flags['config'];
  const file = flag && textOfFlag(program, command, flag, argv, env);
  return file === undefined ? undefined : readConfigFile(file, command.flags);
}

import type { Command } from '../../../domain/command.js';
import { AppError } from '../../../domain/errors.js';
import { closest } from '../../../util/text/closest.js';
import { parseCommandArguments, parseNamedArguments, usage, type Arguments } from './arguments.js';
import { builtInCommands } from './built-in.js';
import { toDomain, type Action, type CommandContext, type CommandResult, type HeadlessCommand } from './command.js';

export type CommandRegistry = {
  /** For `commands/get` and `GET /listCommands`. */
  list(): readonly Command[];
  /** Why a line cannot run as a command: the error that `run` would throw. Undefined if it can. */
  refusalOf(line: string): AppError | undefined;
  /** Runs a command line, with or without its slash. */
  run(line: string, context: CommandContext): Promise<CommandResult>;
};

type Invocation = { readonly path: string; readonly action: Action; readonly args: Arguments };

/** The built-in commands, `help`, and the user's own commands. */
export function commandRegistry(custom: readonly HeadlessCommand[] = []): CommandRegistry {
  const commands: readonly HeadlessCommand[] = [...builtInCommands, help(() => commands), ...custom].toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  return {
    list: () => commands.map(toDomain),
    refusalOf(line) {
      try {
        find(commands, line);
        return undefined;
      } catch (thrown) {
        if (thrown instanceof AppError) return thrown;
        throw thrown;
      }
    },
    async run(line, context) {
      const { path, action, args } = find(commands, line);
      if (!action.needsTask) return action.run(context, args);
      const { config } = context;
      if (!config) throw new AppError('bad-request', `/${path} needs a task; name one`);
      return action.run({ ...context, config }, args);
    },
  };
}

/** Follows the words of a line to a command. The remaining words are its arguments. */
function find(commands: readonly HeadlessCommand[], line: string): Invocation {
  let rest = line.trim().replace(/^\//, '');
  let found: HeadlessCommand | undefined;
  const path: string[] = [];
  for (let level = commands; level.length > 0; level = found.subCommands) {
    const [word = ''] = rest.split(/\s/, 1);
    const next = level.find(({ name }) => name === word);
    if (!next) {
      if (found?.action && !couldBeMeant(found, word)) break;
      throw unknown(path, word, level);
    }
    found = next;
    path.push(word);
    rest = rest.slice(word.length).trim();
  }
  if (!found?.action) throw unknown(path, '', found?.subCommands ?? commands);
  const parse = found.takesNamed ? parseNamedArguments : parseCommandArguments;
  return { path: path.join(' '), action: found.action, args: parse(path.join(' '), found.arguments, rest) };
}

/** `/mcp refesh`: a command without arguments was given a word, so a subcommand was meant. */
function couldBeMeant({ arguments: expected }: HeadlessCommand, word: string): boolean {
  return word !== '' && expected.length === 0;
}

function unknown(path: readonly string[], word: string, level: readonly HeadlessCommand[]): AppError {
  const names = level.map(({ name }) => name);
  const line = ['', ...path].join(' ').trim();
  const asked = word === '' ? `/${line} needs a subcommand` : `there is no command /${[line, word].join(' ').trim()}`;
  const meant = closest(word, names);
  const hint =
    meant === undefined ? `choose one of ${names.join(', ')}` : `did you mean /${[line, meant].join(' ').trim()}?`;
  return new AppError('unknown-command', `${asked}; ${hint}`, { details: { commands: names } });
}

function help(all: () => readonly HeadlessCommand[]): HeadlessCommand {
  return {
    name: 'help',
    description: 'Lists all commands',
    arguments: [],
    subCommands: [],
    action: {
      needsTask: false,
      run: () =>
        Promise.resolve({
          text: all()
            .flatMap((command) => lines(command, []))
            .join('\n'),
          data: { commands: all().map(toDomain) },
        }),
    },
  };
}

function lines(command: HeadlessCommand, above: readonly string[]): string[] {
  const path = [...above, command.name];
  const own = command.action ? [`${usage(path.join(' '), command.arguments)}  ${command.description}`] : [];
  return [...own, ...command.subCommands.flatMap((sub) => lines(sub, path))];
}

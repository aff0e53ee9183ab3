import type { Command } from '../../domain/command.js';
import type { CliSlashCommand } from './cli-types.js';

/** A built-in command that clients may run: alone, with some of its sub-commands, or both. */
type Allowed = { readonly alone: boolean; readonly subs: readonly string[] };

const alone: Allowed = { alone: true, subs: [] };
const both = (...subs: string[]): Allowed => ({ alone: true, subs });
const only = (...subs: string[]): Allowed => ({ alone: false, subs });

/**
 * The built-in commands whose whole result is text or a turn. All others act on the terminal of the person who sits there: they
 * open a dialog, clear the screen, use the clipboard or a browser. A command that a later release adds is refused until it is
 * listed here.
 */
const allowed: Readonly<Record<string, Allowed>> = {
  about: alone,
  agents: both('list', 'reload', 'enable', 'disable'),
  chat: only('list', 'save', 'delete', 'share'),
  commands: both('list', 'reload'),
  compress: alone,
  directory: both('show'),
  'export-session': alone,
  extensions: both('list', 'reload', 'enable', 'disable'),
  gemma: alone,
  help: alone,
  hooks: only('enable', 'disable', 'enable-all', 'disable-all'),
  ide: both('status', 'enable', 'disable'),
  init: alone,
  mcp: both('list', 'desc', 'schema', 'reload', 'refresh', 'enable', 'disable'),
  memory: both('show', 'list', 'reload', 'refresh', 'add'),
  model: only('set'),
  plan: alone,
  policies: both('list'),
  restore: alone,
  resume: only('list', 'save', 'delete', 'share'),
  skills: both('list', 'enable', 'disable', 'reload'),
  stats: both('session', 'model', 'tools'),
  tools: both('list', 'desc'),
};

/** Why some of the others are refused, where there is more to say. */
const reasons: Readonly<Record<string, string>> = {
  quit: 'it ends the program',
  clear: 'it clears the terminal and starts another session',
  copy: 'it writes to the clipboard of the host',
  'bug-memory': 'it takes a heap snapshot of the host',
  voice: 'it uses the microphone of the host',
  bug: 'it opens a browser on the host',
  docs: 'it opens a browser on the host',
  upgrade: 'it opens a browser on the host',
  'setup-github': 'it opens a browser on the host',
  vim: "it changes the terminal's key bindings",
  'terminal-setup': 'it changes the terminal',
  shortcuts: 'it changes the terminal',
  tasks: 'it changes the terminal',
};

const actsOnTerminal = 'its result is for the terminal only, such as a dialog that only somebody there can close';

/** Why a client may not run this command line (without its slash). Undefined if it may. */
export function refusalOf(line: string, commands: readonly CliSlashCommand[]): string | undefined {
  const [name = '', word = ''] = line.trim().split(/\s+/);
  if (name === 'a2a') return 'it switches off the endpoint you are using; type it in the terminal';
  const command = commands.find((each) => each.name === name);
  if (!command) return 'there is no such command';
  if (!isBuiltIn(command)) return undefined;
  const rule = ruleOf(name);
  if (!rule) return Object.hasOwn(reasons, name) ? reasons[name] : actsOnTerminal;
  const sub = command.subCommands?.find((each) => each.name === word || each.altNames?.includes(word));
  if (sub ? rule.subs.includes(sub.name) : rule.alone) return undefined;
  const others = rule.subs.length === 0 ? '' : `; clients may run ${list(name, command, rule)}`;
  return `${actsOnTerminal}${others}`;
}

/** The commands that clients may run. */
export function forClients(commands: readonly CliSlashCommand[]): CliSlashCommand[] {
  return commands.flatMap((command) => {
    if (command.hidden) return [];
    if (!isBuiltIn(command)) return [command];
    const rule = ruleOf(command.name);
    if (!rule) return [];
    const subCommands = (command.subCommands ?? []).filter((sub) => rule.subs.includes(sub.name));
    return rule.alone || subCommands.length > 0 ? [{ ...command, subCommands }] : [];
  });
}

/** Custom commands, prompts of MCP servers and skills start a turn; they cannot do anything else. */
function isBuiltIn({ kind }: CliSlashCommand): boolean {
  return kind === undefined || kind === 'built-in';
}

function ruleOf(name: string): Allowed | undefined {
  return Object.hasOwn(allowed, name) ? allowed[name] : undefined;
}

function list(name: string, { subCommands = [] }: CliSlashCommand, { subs }: Allowed): string {
  return subCommands
    .filter((sub) => subs.includes(sub.name))
    .map((sub) => `/${name} ${sub.name}`)
    .join(', ');
}

/** The CLI only says whether a command takes or completes arguments, not which ones. */
const restOfLine = { name: 'args', description: 'the rest of the line', isRequired: false };

export function toCommand({ name, description, subCommands, completion, takesArgs }: CliSlashCommand): Command {
  const visible = (subCommands ?? []).filter((sub) => !sub.hidden);
  const hasArguments = takesArgs ?? completion !== undefined;
  return {
    name,
    description: description ?? '',
    arguments: hasArguments ? [restOfLine] : [],
    subCommands: visible.map(toCommand),
  };
}

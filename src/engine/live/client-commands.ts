import type { Command } from '../../domain/command.js';
import type { CliSlashCommand } from './cli-types.js';

const ends = 'it ends the program';
const dialog = 'it opens a dialog that only the terminal can close';
const browser = 'it opens a browser on the host';

/** Commands that a client may not run in somebody's terminal, with the reason that it is given. */
const refused: Readonly<Record<string, string>> = {
  quit: ends,
  exit: ends,
  logout: ends,
  a2a: 'it switches off the endpoint you are using; type it in the terminal',
  auth: dialog,
  settings: dialog,
  theme: dialog,
  editor: dialog,
  privacy: dialog,
  permissions: dialog,
  resume: dialog,
  vim: "it changes the terminal's key bindings",
  'terminal-setup': 'it changes the terminal',
  voice: 'it uses the microphone of the host',
  bug: browser,
  docs: browser,
  upgrade: browser,
  'setup-github': browser,
};

/** Why a client may not run a command. Undefined if it may. */
export function refusalOf(name: string): string | undefined {
  return Object.hasOwn(refused, name) ? refused[name] : undefined;
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

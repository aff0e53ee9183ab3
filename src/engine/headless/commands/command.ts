import type { Config } from '@google/gemini-cli-core';
import type { Command, CommandArgument } from '../../../domain/command.js';
import type { Usage } from '../../../domain/events.js';
import type { Core } from '../core.js';
import type { Extension } from '../settings/extensions.js';
import type { Arguments } from './arguments.js';

/** A slash command that needs no terminal. A group such as `memory` may have no action of its own. */
export type HeadlessCommand = {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly Argument[];
  /** Arguments may be given as `--name="value"`, and a value in quotes may have spaces. */
  readonly takesNamed?: boolean;
  readonly subCommands: readonly HeadlessCommand[];
  readonly action?: Action;
};

export type Argument = CommandArgument & {
  /** The rest of the line, with its spaces; only the last argument can be that. */
  readonly takesRest?: boolean;
};

/** What a command does, with or without a session to do it in. */
export type Action =
  | { readonly needsTask: false; run(context: CommandContext, args: Arguments): Promise<CommandResult> }
  | { readonly needsTask: true; run(context: TaskContext, args: Arguments): Promise<CommandResult> };

export type CommandContext = {
  readonly core: Core;
  /** The session's; absent when a command runs without one. */
  readonly config?: Config | undefined;
  readonly extensions: readonly Extension[];
  /** Tokens of the session so far. */
  readonly usage: Usage;
  /** Tells the clients something while the command runs. */
  readonly say: (text: string) => void;
  /** Runs a shell command with the approvals of a tool call and returns what it printed. */
  readonly runShell?: ((command: string) => Promise<string>) | undefined;
  readonly signal: AbortSignal;
};

export type TaskContext = CommandContext & { readonly config: Config };

export type CommandResult = {
  /** For people. */
  readonly text: string;
  /** The same for programs. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Goes to the model next, as if the user had typed it. */
  readonly prompt?: string;
};

/** The command as clients list it. */
export function toDomain({ name, description, arguments: given, subCommands }: HeadlessCommand): Command {
  const args = given.map((argument) => ({
    name: argument.name,
    description: argument.description,
    isRequired: argument.isRequired,
  }));
  return { name, description, arguments: args, subCommands: subCommands.map(toDomain) };
}

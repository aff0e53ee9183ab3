import type { Config } from '@google/gemini-cli-core';
import type { Command, CommandArgument } from '../../../domain/command.js';
import type { Usage } from '../../../domain/events.js';
import type { Core } from '../core/core.js';
import type { Extension } from '../settings/extensions.js';
import type { Arguments } from './arguments.js';

/** A slash command that needs no terminal. A group such as `memory` may have no action of its own. */
export type HeadlessCommand = {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly Argument[];
  /** Arguments may be given as `--name="value"`, and a quoted value may contain spaces. */
  readonly takesNamed?: boolean;
  readonly subCommands: readonly HeadlessCommand[];
  readonly action?: Action;
};

export type Argument = CommandArgument & {
  /** Takes the rest of the line, including spaces. Only the last argument can. */
  readonly takesRest?: boolean;
};

/** What a command does, with or without a session. */
export type Action =
  | { readonly needsTask: false; run(context: CommandContext, args: Arguments): Promise<CommandResult> }
  | { readonly needsTask: true; run(context: TaskContext, args: Arguments): Promise<CommandResult> };

export type CommandContext = {
  readonly core: Core;
  /** The session's config. Absent when a command runs without a session. */
  readonly config?: Config | undefined;
  readonly extensions: readonly Extension[];
  /** The session's tokens so far. */
  readonly usage: Usage;
  /** Sends text to the clients while the command runs. */
  readonly say: (text: string) => void;
  /** Runs a shell command with the approvals of a tool call and returns its output. */
  readonly runShell?: ((command: string) => Promise<string>) | undefined;
  readonly signal: AbortSignal;
};

export type TaskContext = CommandContext & { readonly config: Config };

export type CommandResult = {
  /** The result for people. */
  readonly text: string;
  /** The same result for programs. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Sent to the model next, as if the user had typed it. */
  readonly prompt?: string;
};

/** The command in the form that clients list. */
export function toDomain({ name, description, arguments: given, subCommands }: HeadlessCommand): Command {
  const args = given.map((argument) => ({
    name: argument.name,
    description: argument.description,
    isRequired: argument.isRequired,
  }));
  return { name, description, arguments: args, subCommands: subCommands.map(toDomain) };
}

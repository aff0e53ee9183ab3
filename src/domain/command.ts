/** A slash command of the engine, as a client may list and run it (RFC 3.3). */
export type Command = {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly CommandArgument[];
  readonly subCommands: readonly Command[];
};

export type CommandArgument = { readonly name: string; readonly description: string; readonly isRequired: boolean };

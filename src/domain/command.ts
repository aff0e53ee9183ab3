/** A slash command of the engine, as a client may list and run it (RFC 3.3). */
export type Command = {
  readonly name: string;
  readonly description: string;
  readonly subCommands: readonly Command[];
};

import type { Flags, OptionsOf } from './flag.js';

/** One row of the table of commands. */
export type CliCommand = {
  readonly summary: string;
  readonly flags: Flags;
  /** The operands, as the usage line shows them. */
  readonly operands?: string;
  /** The first operand may be the address of a session. */
  readonly takesAddress?: true;
  /** The maximum number of other operands; default 0. */
  readonly words?: number;
  /** The allowed values of the first of them. */
  readonly verbs?: readonly string[];
  /** Every flag can also be set by a variable: this prefix plus the flag's name. */
  readonly envPrefix?: string;
  /** Variables that do not set a flag. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Text that the help shows below the flags. */
  readonly notes?: string;
};

/** The parsed arguments of a command. */
export type Given<C extends CliCommand> = {
  readonly flags: OptionsOf<C['flags']>;
  /** If undefined, the command looks for the live session. */
  readonly url?: string;
  readonly words: readonly string[];
};

import type { Flags, OptionsOf } from './flag.js';

/** One row of the table of commands. */
export type CliCommand = {
  readonly summary: string;
  readonly flags: Flags;
  /** The operands, as the usage line shows them. */
  readonly operands?: string;
  /** The first operand may name a session: by its `address` only, because other words follow it, or by any `name`. */
  readonly takesSession?: 'address' | 'name';
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
  /** The session that the first operand names. */
  readonly session?: string;
  readonly words: readonly string[];
};

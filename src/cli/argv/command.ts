import type { Flags, OptionsOf } from './flag.js';

/** One row of the table of commands. */
export type CliCommand = {
  readonly summary: string;
  readonly flags: Flags;
  /** What may follow the flags, as the usage shows it. */
  readonly operands?: string;
  /** The first operand may be the address of a session. */
  readonly takesAddress?: true;
  /** How many other operands there may be; none if it is not said. */
  readonly words?: number;
  /** What the first of them must be. */
  readonly verbs?: readonly string[];
  /** Every flag can be set by a variable too: this, and the flag's name. */
  readonly envPrefix?: string;
  /** Variables that are no flags. */
  readonly variables?: Readonly<Record<string, string>>;
  /** What the help adds below the flags. */
  readonly notes?: string;
};

/** What somebody gave to a command. */
export type Given<C extends CliCommand> = {
  readonly flags: OptionsOf<C['flags']>;
  /** Undefined: the live session is looked for. */
  readonly url?: string;
  readonly words: readonly string[];
};

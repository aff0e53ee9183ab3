import type { valueReaders } from './values.js';

/** One row of the table of flags. The parser, the help, the documentation and the types are derived from it. */
export type Flag = {
  /** As typed, including the dashes. */
  readonly name: `--${string}`;
  /** A `switch` is on or off; every other type takes a value. */
  readonly type: 'switch' | keyof typeof valueReaders;
  /** The placeholder for the value in the help. */
  readonly value?: string;
  /** The allowed values. */
  readonly choices?: readonly string[];
  readonly isRepeatable?: true;
  /** As a user would type the value. */
  readonly default?: string | number;
  /** The variable that sets the flag, if it is not the command's prefix plus the flag's name. */
  readonly env?: string;
  readonly help: string;
};

/** The flags of a command, by option name. */
export type Flags = Readonly<Record<string, Flag>>;

type OneValue<F extends Flag> = F extends { choices: readonly (infer Choice)[] }
  ? Choice
  : F['type'] extends keyof typeof valueReaders
    ? ReturnType<(typeof valueReaders)[F['type']]>
    : boolean;

type Value<F extends Flag> = F extends { isRepeatable: true } ? readonly OneValue<F>[] : OneValue<F>;

/** Options that are never undefined: switches (off by default), lists (empty by default) and flags with a default. */
type IsAlwaysThere<F extends Flag> = F extends
  | { type: 'switch' }
  | { isRepeatable: true }
  | { default: string | number }
  ? true
  : false;

/** The values of a command's flags. */
export type OptionsOf<F extends Flags> = {
  readonly [Name in keyof F as IsAlwaysThere<F[Name]> extends true ? Name : never]: Value<F[Name]>;
} & {
  readonly [Name in keyof F as IsAlwaysThere<F[Name]> extends true ? never : Name]?: Value<F[Name]>;
};

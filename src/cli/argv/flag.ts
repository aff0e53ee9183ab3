import type { valueReaders } from './values.js';

/** One row of the table of flags. Parser, help, documentation and types are read off it. */
export type Flag = {
  /** As it is typed, dashes included. */
  readonly name: `--${string}`;
  /** A `switch` is given or not; every other type takes a value. */
  readonly type: 'switch' | keyof typeof valueReaders;
  /** What stands for the value in the help. */
  readonly value?: string;
  /** The values there are. */
  readonly choices?: readonly string[];
  readonly isRepeatable?: true;
  /** As a user would type it. */
  readonly default?: string | number;
  /** The variable that sets it, where it is not the command's prefix and the flag's name. */
  readonly env?: string;
  readonly help: string;
};

/** The flags of a command, by the names of its options. */
export type Flags = Readonly<Record<string, Flag>>;

type OneValue<F extends Flag> = F extends { choices: readonly (infer Choice)[] }
  ? Choice
  : F['type'] extends keyof typeof valueReaders
    ? ReturnType<(typeof valueReaders)[F['type']]>
    : boolean;

type Value<F extends Flag> = F extends { isRepeatable: true } ? readonly OneValue<F>[] : OneValue<F>;

/** Always there: a switch is off, a list is empty, and a default is a default. */
type IsAlwaysThere<F extends Flag> = F extends
  { type: 'switch' } | { isRepeatable: true } | { default: string | number }
  ? true
  : false;

/** What a command gets: the values of its flags. */
export type OptionsOf<F extends Flags> = {
  readonly [Name in keyof F as IsAlwaysThere<F[Name]> extends true ? Name : never]: Value<F[Name]>;
} & {
  readonly [Name in keyof F as IsAlwaysThere<F[Name]> extends true ? never : Name]?: Value<F[Name]>;
};

import { AppError } from '../../../domain/errors.js';
import type { Argument } from './command.js';

/** Arguments by name; an optional one that was not given is absent. */
export type Arguments = Readonly<Record<string, string>>;

/** Splits the rest of a command line into the command's arguments, or says how the command is used. */
export function parseArguments(path: string, expected: readonly Argument[], text: string): Arguments {
  const args: Record<string, string> = {};
  let rest = text.trim();
  for (const { name, isRequired, takesRest } of expected) {
    const [value = ''] = takesRest ? [rest] : rest.split(/\s/, 1);
    if (value === '' && isRequired) throw wrong(path, expected, `<${name}> is missing`);
    if (value !== '') args[name] = value;
    rest = rest.slice(value.length).trim();
  }
  if (rest !== '') throw wrong(path, expected, `"${rest}" is too much`);
  return args;
}

function wrong(path: string, expected: readonly Argument[], what: string): AppError {
  return new AppError('bad-request', `${what}; usage: ${usage(path, expected)}`);
}

/** Such as `/memory add <text>` or `/model [name]`. */
export function usage(path: string, expected: readonly Argument[]): string {
  const args = expected.map(({ name, isRequired }) => (isRequired ? `<${name}>` : `[${name}]`));
  return [`/${path}`, ...args].join(' ');
}

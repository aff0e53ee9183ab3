import { AppError } from '../../../domain/errors.js';
import { splitWords } from '../../../util/text/split-words.js';
import type { Argument } from './command.js';

/** Arguments by name. An optional argument that was not given is absent. */
export type Arguments = Readonly<Record<string, string>>;

/** Splits the rest of a command line into the command's arguments, or throws the command's usage. */
export function parseCommandArguments(path: string, expected: readonly Argument[], text: string): Arguments {
  const args: Record<string, string> = {};
  let rest = text.trim();
  for (const { name, isRequired, takesRest } of expected) {
    const [value = ''] = takesRest ? [rest] : rest.split(/\s/, 1);
    if (value === '' && isRequired) throw wrong(path, expected, `<${name}> is missing`);
    if (value !== '') args[name] = value;
    rest = rest.slice(value.length).trim();
  }
  if (rest !== '') throw wrong(path, expected, `unexpected "${rest}"`);
  return args;
}

/** The same with named arguments. The others get the remaining words in order; if only one is left, it gets all of them. */
export function parseNamedArguments(path: string, expected: readonly Argument[], text: string): Arguments {
  const args: Record<string, string> = {};
  const words: string[] = [];
  for (const word of wordsOf(path, expected, text)) {
    const [, name = '', value = ''] = /^--([^=]+)=([^]*)$/.exec(word) ?? [];
    if (name === '') words.push(word);
    else if (expected.some((argument) => argument.name === name)) args[name] = value;
    else throw wrong(path, expected, `there is no argument "${name}"`);
  }
  const open = expected.filter(({ name }) => args[name] === undefined);
  const values = open.length === 1 && words.length > 1 ? [words.join(' ')] : words;
  for (const [index, { name, isRequired }] of open.entries()) {
    const value = values[index];
    if (value !== undefined) args[name] = value;
    else if (isRequired) throw wrong(path, expected, `<${name}> is missing`);
  }
  if (values.length > open.length) throw wrong(path, expected, `unexpected "${values.slice(open.length).join(' ')}"`);
  return args;
}

function wordsOf(path: string, expected: readonly Argument[], text: string): string[] {
  try {
    return splitWords(text);
  } catch {
    throw wrong(path, expected, 'a quote is not closed');
  }
}

function wrong(path: string, expected: readonly Argument[], what: string): AppError {
  return new AppError('bad-request', `${what}; usage: ${usage(path, expected)}`);
}

/** For example `/memory add <text>` or `/model [name]`. */
export function usage(path: string, expected: readonly Argument[]): string {
  const args = expected.map(({ name, isRequired }) => (isRequired ? `<${name}>` : `[${name}]`));
  return [`/${path}`, ...args].join(' ');
}

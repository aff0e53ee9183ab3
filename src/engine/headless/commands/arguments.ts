import { AppError } from '../../../domain/errors.js';
import { splitWords } from '../../../util/split-words.js';
import type { Argument } from './command.js';

/** Arguments by name; an optional one that was not given is absent. */
export type Arguments = Readonly<Record<string, string>>;

/** Splits the rest of a command line into the command's arguments, or says how the command is used. */
export function parseCommandArguments(path: string, expected: readonly Argument[], text: string): Arguments {
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

/** The same where arguments may be named; the others get the other words in their order, a single one all of them. */
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
  if (values.length > open.length) throw wrong(path, expected, `"${values.slice(open.length).join(' ')}" is too much`);
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

/** Such as `/memory add <text>` or `/model [name]`. */
export function usage(path: string, expected: readonly Argument[]): string {
  const args = expected.map(({ name, isRequired }) => (isRequired ? `<${name}>` : `[${name}]`));
  return [`/${path}`, ...args].join(' ');
}

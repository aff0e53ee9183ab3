import { readFileSync } from 'node:fs';
import { closest } from '../../util/text/closest.js';
import { UsageError } from '../../util/usage-error.js';
import type { Flag, Flags } from './flag.js';

/** The settings of a file, as texts that a command line could have. */
export type ConfigFile = { readonly file: string; readonly texts: ReadonlyMap<Flag['name'], readonly string[]> };

/** Reads a TOML file whose keys are the names of these flags without dashes in front: `port = 41242`. */
export async function readConfigFile(file: string, flags: Flags): Promise<ConfigFile> {
  // Loaded only for those who have such a file.
  const { parse } = await import('smol-toml');
  const table = Object.entries(parseWith(parse, file));
  const known = new Map(Object.values(flags).map((flag) => [flag.name.slice(2), flag]));
  const texts = table.map(([key, value]): [Flag['name'], readonly string[]] => {
    const flag = key === 'config' ? undefined : known.get(key);
    if (!flag) throw new UsageError(`${file}: there is no setting "${key}"${suggestion(key, [...known.keys()])}`);
    return [flag.name, textsOf(flag, value, `${file}: ${key}`)];
  });
  return { file, texts: new Map(texts) };
}

function parseWith(parse: (text: string) => Record<string, unknown>, file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`--config: ${file} cannot be read`);
  }
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not valid TOML: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function suggestion(key: string, names: readonly string[]): string {
  const nearest = closest(key.replaceAll('_', '-'), names);
  return nearest === undefined ? '; see cosession serve --help' : `; did you mean "${nearest}"?`;
}

function textsOf({ type, isRepeatable }: Flag, value: unknown, from: string): string[] {
  if (type === 'switch') {
    if (typeof value === 'boolean') return [String(value)];
    throw new UsageError(`${from} must be true or false`);
  }
  const values: readonly unknown[] = isRepeatable && Array.isArray(value) ? value : [value];
  return values.map((each) => {
    if (typeof each === 'string') return each;
    if (typeof each === 'number') return String(each);
    throw new UsageError(`${from} must be ${isRepeatable ? 'a list of texts' : 'a text or a number'}`);
  });
}

import { parseArgs } from 'node:util';
import { UsageError } from '../../util/usage-error.js';
import { isAddress } from '../../util/net/is-address.js';
import type { CliCommand, Given } from './command.js';
import type { ConfigFile } from './config-file.js';
import type { Flag, Flags, OptionsOf } from './flag.js';
import { notTaken, unknownFlag } from './unknown.js';
import { valueReaders } from './values.js';
import { defined } from '../../util/defined.js';

/**
 * Parses the arguments of a command: flags win over variables, variables over the file, the file over defaults. `program` names
 * it in errors.
 */
export function parseCommand<C extends CliCommand>(
  program: string,
  command: C,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  config?: ConfigFile,
): Given<C> {
  const flags: C['flags'] = command.flags;
  const { texts, rest } = takeFlags(program, flags, argv);
  const end = rest.includes('--') ? rest.indexOf('--') : rest.length;
  const typed = rest.slice(0, end);
  const unknown = typed.find((arg) => arg.startsWith('--'));
  if (unknown !== undefined) throw unknownFlag(program, unknown, flags);
  const [first] = typed;
  const session = namesSession(command, first) ? first : undefined;
  const words = [...typed.slice(session === undefined ? 0 : 1), ...rest.slice(end + 1)];
  const [verb] = words;
  const wrong = command.verbs && verb !== undefined && !command.verbs.includes(verb) ? verb : words[command.words ?? 0];
  if (wrong !== undefined) throw notTaken(program, command, wrong);
  return { flags: readOptions(command, texts, env, config), words, ...defined({ session }) };
}

function namesSession({ takesSession }: CliCommand, first: string | undefined): boolean {
  return takesSession === 'name' || (takesSession === 'address' && isAddress(first));
}

/** Takes our own flags from a command line of the Gemini CLI and leaves the rest unchanged. */
export function parseBesides<F extends Flags>(
  program: string,
  flags: F,
  argv: readonly string[],
): { readonly flags: OptionsOf<F>; readonly rest: readonly string[] } {
  const { texts, rest } = takeFlags(program, flags, argv);
  return { flags: readOptions({ flags }, texts, {}), rest };
}

/** The text of one flag, before anything else is checked. */
export function textOfFlag(
  program: string,
  { flags, envPrefix }: CliCommand,
  flag: Flag,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): string | undefined {
  const variable = variableOf(flag, envPrefix);
  return takeFlags(program, flags, argv).texts.get(flag.name)?.at(-1) ?? ((variable && env[variable]) || undefined);
}

/** Whether `--help` or `-h` is among the arguments before `--`. */
export function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return argv.slice(0, end).some((arg) => arg === '--help' || arg === '-h');
}

type Texts = ReadonlyMap<Flag['name'], readonly string[]>;

/** Finds the flags and their texts. `rest` holds all other arguments in their original order. */
function takeFlags(program: string, flags: Flags, argv: readonly string[]): { texts: Texts; rest: readonly string[] } {
  const known = new Map(Object.values(flags).map((flag) => [flag.name.slice(2), flag]));
  const options = Object.fromEntries(
    [...known].map(([name, { type }]) => [name, { type: type === 'switch' ? 'boolean' : 'string' } as const]),
  );
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true });
  const texts = new Map<Flag['name'], readonly string[]>();
  const ours = new Set<number>();
  for (const token of tokens) {
    const flag = token.kind === 'option' && token.rawName.startsWith('--') ? known.get(token.name) : undefined;
    if (token.kind !== 'option' || !flag) continue;
    ours.add(token.index);
    if (flag.type !== 'switch' && !token.inlineValue) ours.add(token.index + 1);
    texts.set(flag.name, [...(texts.get(flag.name) ?? []), textOf(program, flag, token)]);
  }
  return { texts, rest: argv.filter((_, index) => !ours.has(index)) };
}

type Typed = { readonly value?: string | undefined; readonly inlineValue?: boolean | undefined };

function textOf(program: string, { name, type }: Flag, { value, inlineValue }: Typed): string {
  if (type === 'switch' && value !== undefined) throw new UsageError(`${name} takes no value, got "${value}"`);
  if (type === 'switch') return 'true';
  // If the value looks like a flag, the real value was probably forgotten. `--name=--value` passes such a value on purpose.
  if (value !== undefined && (inlineValue || !value.startsWith('--'))) return value;
  throw new UsageError(`${name} needs a value; see ${program} --help`);
}

function readOptions<C extends Pick<CliCommand, 'flags' | 'envPrefix'>>(
  { flags, envPrefix }: C,
  texts: Texts,
  env: NodeJS.ProcessEnv,
  config?: ConfigFile,
): OptionsOf<C['flags']> {
  const entries = Object.entries(flags).map(([option, flag]) => {
    const typed = texts.get(flag.name);
    const variable = variableOf(flag, envPrefix);
    const text = variable === undefined ? '' : (env[variable] ?? '');
    const inFile = config?.texts.get(flag.name);
    if (!typed && text === '' && config && inFile)
      return [option, readValue(flag, inFile, `${config.file}: ${flag.name.slice(2)}`)];
    if (typed || variable === undefined || text === '') return [option, readValue(flag, typed, flag.name)];
    return [option, readValue(flag, flag.isRepeatable ? text.split(',') : [text], variable)];
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place where the table's rows become its types
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as OptionsOf<C['flags']>;
}

/** The variable that sets a flag of a command with this prefix. */
export function variableOf({ name, env }: Flag, prefix: string | undefined): string | undefined {
  return prefix === undefined ? undefined : (env ?? `${prefix}${name.slice(2).replaceAll('-', '_').toUpperCase()}`);
}

function readValue(flag: Flag, given: readonly string[] | undefined, from: string): unknown {
  if (flag.isRepeatable) return (given ?? []).map((text) => readOne(flag, text, from));
  const text = given?.at(-1) ?? flag.default?.toString();
  if (flag.type === 'switch') return text !== undefined && !['0', 'false'].includes(text);
  return text === undefined ? undefined : readOne(flag, text, from);
}

function readOne({ type, choices }: Flag, text: string, from: string): unknown {
  if (choices && !choices.includes(text)) throw new UsageError(`${from} must be ${either(choices)}, got "${text}"`);
  return type === 'switch' ? text : valueReaders[type](text, from);
}

function either(choices: readonly string[]): string {
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}

import { urlPrefix } from '../util/url-prefix.js';

/** What the user asked for on the command line. Everything that is not ours goes to the Gemini CLI untouched. */
export type Flags = {
  /** Undefined: nothing listens until `/a2a on`. */
  readonly port?: number;
  /** Undefined: no gRPC. */
  readonly grpcPort?: number;
  readonly requireToken: boolean;
  /** Webhooks at or below these addresses may be private. */
  readonly pushAllow: readonly string[];
  /** The file of a private key that signs the agent card. */
  readonly cardKey?: string;
  /** What a turn that is done is for A2A clients. */
  readonly turnEnd?: 'completed' | 'input-required';
  /** ACP clients may speak version 2, a draft. */
  readonly acpV2: boolean;
  readonly demo: boolean;
  /** The command line of an ACP agent to run instead of the Gemini CLI. */
  readonly engine?: string;
  /** The agent's id of the mode it works in. */
  readonly engineMode?: string;
  /** A path, or `system` for the one on PATH; undefined is the release Cosession was tested with. */
  readonly geminiCli?: string;
  readonly geminiArgs: readonly string[];
};

/** A mistake on the command line, said in one sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function parseFlags(argv: readonly string[]): Flags {
  const args = [...argv];
  const geminiArgs: string[] = [];
  let flags: Omit<Flags, 'geminiArgs'> = { requireToken: false, acpV2: false, demo: false, pushAllow: [] };
  for (let arg = args.shift(); arg !== undefined; arg = args.shift()) {
    const [name, inline] = splitFlag(arg);
    const value = (): string => inline ?? nextValue(name, args);
    if (arg === '--') {
      geminiArgs.push(arg, ...args.splice(0));
    } else if (name === '--a2a-port') flags = { ...flags, port: parsePort(value()) };
    else if (name === '--grpc-port') flags = { ...flags, grpcPort: parsePort(value()) };
    else if (name === '--push-allow') flags = { ...flags, pushAllow: [...flags.pushAllow, parsePushAllow(value())] };
    else if (name === '--card-key') flags = { ...flags, cardKey: value() };
    else if (name === '--turn-end') flags = { ...flags, turnEnd: parseTurnEnd(value()) };
    else if (name === '--engine') flags = { ...flags, engine: value() };
    else if (name === '--engine-mode') flags = { ...flags, engineMode: value() };
    else if (name === '--gemini-cli') flags = { ...flags, geminiCli: value() };
    else if (arg === '--a2a-require-token') flags = { ...flags, requireToken: true };
    else if (arg === '--acp-v2') flags = { ...flags, acpV2: true };
    else if (arg === '--demo') flags = { ...flags, demo: true };
    else if (name.startsWith('--a2a-')) throw new UsageError(`there is no flag ${name}; see cosession --help`);
    else geminiArgs.push(arg);
  }
  return { ...flags, geminiArgs };
}

/** Also what `/a2a on <port>` takes. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`the port must be a whole number from 0 (any free one) to 65535, got "${text}"`);
}

/** Also what `cosession serve` takes. */
export function parsePushAllow(text: string): string {
  try {
    if (text !== '*') urlPrefix(text);
    return text;
  } catch (error) {
    throw new UsageError(`--push-allow: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parseTurnEnd(text: string): 'completed' | 'input-required' {
  if (text === 'completed' || text === 'input-required') return text;
  throw new UsageError(`--turn-end is completed or input-required, got "${text}"`);
}

function splitFlag(arg: string): [name: string, inline: string | undefined] {
  const equals = arg.startsWith('--') ? arg.indexOf('=') : -1;
  return equals < 0 ? [arg, undefined] : [arg.slice(0, equals), arg.slice(equals + 1)];
}

function nextValue(name: string, args: string[]): string {
  const next = args[0];
  if (next === undefined || next.startsWith('--')) throw new UsageError(`${name} needs a value; see cosession --help`);
  args.shift();
  return next;
}

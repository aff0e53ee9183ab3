import { UsageError } from '../config/flags.js';

export type CommandArguments = {
  /** Undefined: the live session is looked for. */
  readonly url?: string;
  readonly isJson: boolean;
  /** The name that the terminal and other clients see. */
  readonly name?: string;
  /** The tool call to answer. */
  readonly call?: string;
  readonly words: readonly string[];
};

type Flag = '--json' | '--as' | '--call';

/** Reads `[url] [words…]` and the flags a command takes. After `--` everything is a word. */
export function parseArguments(command: string, argv: readonly string[], flags: readonly Flag[]): CommandArguments {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const args = argv.slice(0, end);
  const words: string[] = [];
  let found: Omit<CommandArguments, 'words'> = { isJson: false };
  for (let arg = args.shift(); arg !== undefined; arg = args.shift()) {
    const flag = flags.find((name) => name === arg);
    if (flag === '--json') found = { ...found, isJson: true };
    else if (flag !== undefined) {
      const value = args.shift();
      if (value === undefined) throw new UsageError(`${flag} needs a value; see cosession --help`);
      found = { ...found, [flag === '--as' ? 'name' : 'call']: value };
    } else if (arg.startsWith('--')) {
      throw new UsageError(`cosession ${command} has no flag ${arg}; see cosession --help`);
    } else if (words.length === 0 && found.url === undefined && address.test(arg)) found = { ...found, url: arg };
    else words.push(arg);
  }
  return { ...found, words: [...words, ...argv.slice(end + 1)] };
}

/** For commands that take no words. */
export function refuseWords(command: string, [first]: readonly string[]): void {
  if (first === undefined) return;
  throw new UsageError(`cosession ${command} takes an address like http://127.0.0.1:41243/, not "${first}"`);
}

/** A word of a prompt seldom looks like this; `--` is for when it does. */
const address = /^(?:(?:https?|wss?):\/\/|(?:localhost|127\.0\.0\.1|\[::1\]):\d+(?:\/|$))/i;

import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import type { CommandName } from '../../src/cli/argv/commands.js';
import { runCommand } from '../../src/cli/run-command.js';
import { until } from './until.js';

export type Ran = {
  readonly code: Promise<number>;
  readonly out: string;
  /** What it wrote to standard error. */
  readonly errors: string;
  shows(wanted: string | RegExp): Promise<void>;
  type(line: string): void;
  endInput(): void;
};

/** What a command of ours prints that ends by itself. */
export async function outputOf(...ran: Parameters<typeof runHere>): Promise<string> {
  const command = runHere(...ran);
  await command.code;
  return command.out;
}

/** Runs a command of ours in this process, with streams for its terminal. */
export function runHere(
  name: CommandName,
  args: readonly string[],
  options: {
    stateDir?: string;
    folder?: string;
    useColor?: boolean;
    /** Of the terminal; by default the output is a pipe. */
    columns?: number;
    env?: NodeJS.ProcessEnv;
  } = {},
): Ran {
  const { stateDir = '/nowhere', folder = '/', useColor = false, columns, env = {} } = options;
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let [out, errors] = ['', ''];
  stderr.on('data', (data: Buffer) => (errors += data.toString()));
  stdout.on('data', (data: Buffer) => (out += data.toString()));
  const program = ['node', resolve('dist/main.js')] as const;
  const code = runCommand(name, args, {
    stdin,
    stdout: columns === undefined ? stdout : Object.assign(stdout, { isTTY: true, columns }),
    stderr,
    user: 'ada@laptop',
    stateDir,
    folder,
    useColor,
    program,
    env,
    token: undefined,
  });
  code.catch(() => {});
  return {
    code,
    get out() {
      return out;
    },
    get errors() {
      return errors;
    },
    async shows(wanted) {
      const matches = (): boolean => (typeof wanted === 'string' ? out.includes(wanted) : wanted.test(out));
      await until(matches).catch((error: unknown) => {
        throw new Error(`${wanted} is not in:\n${out}`, { cause: error });
      });
    },
    type: (line) => void stdin.write(`${line}\n`),
    endInput: () => void stdin.end(),
  };
}

import { PassThrough } from 'node:stream';
import { runCommand, type CommandName } from '../../src/commands/run-command.js';
import { until } from './until.js';

export type Ran = {
  readonly code: Promise<number>;
  readonly out: string;
  shows(wanted: string | RegExp): Promise<void>;
  type(line: string): void;
  endInput(): void;
};

/** Runs a command of ours in this process, with streams for its terminal. */
export function runHere(
  name: CommandName,
  args: readonly string[],
  options: { stateDir?: string; folder?: string; useColor?: boolean } = {},
): Ran {
  const { stateDir = '/nowhere', folder = '/', useColor = false } = options;
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  let out = '';
  stdout.on('data', (data: Buffer) => (out += data.toString()));
  const code = runCommand(name, args, { stdin, stdout, stateDir, folder, useColor, token: undefined });
  code.catch(() => {});
  return {
    code,
    get out() {
      return out;
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

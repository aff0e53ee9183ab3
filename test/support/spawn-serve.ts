import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { trustingEnvironment } from './trusting-home.js';
import { until } from './until.js';

export type ServeProcessOptions = {
  /** Keeps workspace, home and store; a second process on it goes on where the first one stopped. */
  readonly folder: string;
  readonly modelUrl: string;
  /** By default a folder of its own. */
  readonly workspace?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A program that runs it. */
  readonly runner?: readonly string[];
};

export type ServeProcess = {
  readonly base: string;
  /** The same as the card has it. */
  readonly url: string;
  readonly pid: number;
  /** What it logged, one object per line. */
  readonly log: readonly Record<string, unknown>[];
  /** What it wrote beside its log. */
  readonly stderr: string;
  readonly exit: Promise<number | string>;
  kill(signal: NodeJS.Signals): void;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Waits for a line of the log. */
  logged(message: string): Promise<Record<string, unknown>>;
};

const mainScript = resolve('dist/main.js');

/** The built `cosession serve` in a process of its own, on a free port. `onSpawned` gets it before it serves. */
export async function spawnServe(
  { folder, modelUrl, workspace = join(folder, 'workspace'), args = [], env = {}, runner = [] }: ServeProcessOptions,
  onSpawned: (child: ChildProcess) => void,
): Promise<ServeProcess> {
  mkdirSync(workspace, { recursive: true });
  const serve = [process.execPath, mainScript, 'serve', '--port', '0', '--store', 'sqlite:', ...args];
  const [program = '', ...rest] = [...runner, ...serve];
  const child = spawn(program, rest, {
    cwd: workspace,
    env: {
      ...process.env,
      ...trustingEnvironment(join(folder, 'home'), modelUrl),
      COSESSION_STATE_DIR: join(folder, 'state'),
      ...env,
    },
  });
  onSpawned(child);
  const exit = new Promise<number | string>((done) =>
    child.once('exit', (code, signal) => done(code ?? String(signal))),
  );
  let [out, errors] = ['', ''];
  let isOver = false;
  child.once('close', () => (isOver = true));
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  const lines = () => out.split('\n').slice(0, -1).map(parse);
  const logged = async (message: string) => {
    const found = until(() => {
      const line = lines().find(({ msg }) => msg === message);
      if (!line && isOver) throw new Error('the process has ended');
      return line;
    });
    return found.catch((cause: unknown) => {
      throw new Error(`"${message}" was not logged: ${out}${errors}`, { cause });
    });
  };
  const base = String((await logged('listening'))['url']).replace(/\/$/, '');
  return {
    base,
    url: `${base}/`,
    pid: child.pid ?? 0,
    get log() {
      return lines();
    },
    get stderr() {
      return errors;
    },
    exit,
    kill: (signal) => void child.kill(signal),
    post: (path, body, headers = {}) =>
      fetch(`${base}/${path}`, {
        method: 'POST',
        // A server that was busy for longer than it keeps connections open resets the one that a request was just sent on.
        headers: { 'content-type': 'application/json', connection: 'close', ...headers },
        body: JSON.stringify(body),
      }),
    logged,
  };
}

function parse(line: string): Record<string, unknown> {
  return JSON.parse(line) as Record<string, unknown>;
}

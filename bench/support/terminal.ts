import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Screen } from '../../test/support/screen.js';
import { trustingEnvironment } from '../../test/support/trusting-home.js';
import { until } from '../../test/support/until.js';
import { atExit } from './clean-up.js';

/** By default, the plain CLI starts itself a second time, with more memory. */
export type TerminalKind = 'cosession' | 'cosession, one process' | 'plain' | 'plain, one process';

export type TerminalOptions = {
  readonly kind: TerminalKind;
  /** Contains its home and workspace. Terminals must not share it: the CLI locks its home, and the lock outlives the process. */
  readonly folder: string;
  readonly modelUrl: string;
};

export type Terminal = {
  readonly screen: Screen;
  /** The address and token of the endpoint, once it is open. */
  endpoint(): Promise<Endpoint>;
  stop(): Promise<void>;
};

export type Endpoint = { readonly port: number; readonly url: string; readonly token: string };

const cli = resolve('node_modules/@google/gemini-cli/bundle/gemini.js');
const shared = [resolve('dist/main.js'), '--a2a-port', '0'];
const oneProcess = { GEMINI_CLI_NO_RELAUNCH: 'true' };
const starts: Readonly<Record<TerminalKind, { args: readonly string[]; env: Record<string, string> }>> = {
  cosession: { args: shared, env: {} },
  'cosession, one process': { args: shared, env: oneProcess },
  plain: { args: [cli], env: {} },
  'plain, one process': { args: [cli], env: oneProcess },
};

/** Starts the Gemini CLI in a pseudo terminal, alone or shared by Cosession, with a model on loopback. */
export function startTerminal({ kind, folder, modelUrl }: TerminalOptions): Terminal {
  const workspace = join(folder, 'workspace');
  const stateDir = join(folder, 'state');
  mkdirSync(workspace, { recursive: true });
  const { args, env } = starts[kind];
  const screen = new Screen(process.execPath, args, {
    cwd: workspace,
    env: { ...trustingEnvironment(join(folder, 'home'), modelUrl), COSESSION_STATE_DIR: stateDir, ...env },
  });
  // The pty made it a process group leader, so the launcher and the CLI it starts are killed together.
  const kill = atExit(() => screen.exitCode === undefined && process.kill(-screen.pid, 'SIGKILL'));
  return {
    screen,
    endpoint: () => until(() => readEntry(join(stateDir, 'sessions'))),
    async stop() {
      kill();
      await screen.waitForExit();
      await screen.stop();
    },
  };
}

function readEntry(folder: string): Endpoint | undefined {
  try {
    const name = readdirSync(folder).find((file) => file.endsWith('.json'));
    return name === undefined ? undefined : (JSON.parse(readFileSync(join(folder, name), 'utf8')) as Endpoint);
  } catch {
    return undefined;
  }
}

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ModelServer, startModelServer } from './model-server.js';
import type { Script } from '../../src/demo/model-server.js';
import { Screen } from './screen.js';
import { trustingEnvironment } from './trusting-home.js';
import { until } from './until.js';
import { WireClient } from './wire-client.js';

export type LiveOptions = {
  readonly script: Script;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Without a port nothing listens. */
  readonly port?: number | 'none';
  readonly geminiCli?: string;
  readonly cols?: number;
  readonly rows?: number;
  readonly workspace?: string;
  /** Of an earlier session, which may be resumed in it. */
  readonly folder?: string;
  /** A program that runs it. */
  readonly runner?: readonly string[];
  /** By default the one that runs the tests. */
  readonly node?: string;
  /** Puts files into the workspace before the CLI starts. */
  readonly inWorkspace?: (folder: string) => void;
};

/** Lives in a folder of its own: workspace, home and state are removed with it. */
export type Live = {
  readonly screen: Screen;
  readonly model: ModelServer;
  readonly folder: string;
  readonly workspace: string;
  readonly stateDir: string;
  /** The discovery file, once the endpoint is open. */
  entry(): Promise<Entry>;
  connect(query?: string, options?: Parameters<typeof WireClient.connect>[1]): Promise<WireClient>;
  url(): Promise<string>;
  stop(): Promise<void>;
};

export type Entry = { port: number; url: string; pid: number; sessionId: string; workspace: string; token: string };

export const mainScript = resolve('dist/main.js');
export const readyPrompt = 'Type your message';

/** Starts the built cosession with the real Gemini CLI in a pty, against a scripted model on loopback. */
export async function startLive(options: LiveOptions): Promise<Live> {
  const {
    script,
    args = [],
    env = {},
    port = 0,
    geminiCli,
    cols,
    rows,
    runner = [],
    node = process.execPath,
  } = options;
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'cosession-test-'));
  const workspace = options.workspace ?? join(folder, 'workspace');
  const stateDir = join(folder, 'state');
  mkdirSync(workspace, { recursive: true });
  options.inWorkspace?.(workspace);
  const model = await startModelServer(script);
  const ours = [
    ...(port === 'none' ? [] : ['--a2a-port', String(port)]),
    ...(geminiCli === undefined ? [] : ['--gemini-cli', geminiCli]),
  ];
  const [program = '', ...rest] = [...runner, node, mainScript, ...ours, ...args];
  const screen = new Screen(program, rest, {
    cwd: workspace,
    prompt: readyPrompt,
    ...(cols === undefined ? {} : { cols }),
    ...(rows === undefined ? {} : { rows }),
    env: { ...trustingEnvironment(join(folder, 'home'), model.url), COSESSION_STATE_DIR: stateDir, ...env },
  });
  const sessions = join(stateDir, 'sessions');
  const live: Live = {
    screen,
    model,
    folder,
    workspace,
    stateDir,
    entry: () =>
      until(() => {
        const name = namesIn(sessions).find((file) => file.endsWith('.json'));
        return name === undefined ? undefined : entryIn(join(sessions, name));
      }),
    url: async () => (await live.entry()).url,
    connect: async (query = '', options = {}) => {
      const { port: open } = await live.entry();
      return WireClient.connect(`ws://127.0.0.1:${open}/ws${query}`, options);
    },
    async stop() {
      await screen.stop();
      await model.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return live;
}

/** Undefined if it has just been removed: a CLI that restarts replaces it. */
function entryIn(file: string): Entry | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Entry;
  } catch (error) {
    if (existsSync(file)) throw error;
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Shows that the session is shared: a client's prompt appears in the terminal. Then ends the CLI. Returns its exit code. */
export async function promptAndQuit({ connect, screen }: Pick<Live, 'connect' | 'screen'>): Promise<number> {
  const client = await connect();
  await client.prompt('hello');
  await screen.waitFor('You said: hello');
  await client.state('completed');
  client.close();
  await screen.submit('/quit');
  return screen.waitForExit();
}

/** The discovery file of the CLI that was started after this one. */
export function nextEntry({ entry }: Pick<Live, 'entry'>, { token }: Entry): Promise<Entry> {
  return until(async () => {
    const next = await entry();
    return next.token === token ? undefined : next;
  });
}

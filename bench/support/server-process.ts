import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';
import { atExit } from './clean-up.js';
import { now } from './clock.js';
import { collectGarbage, type Memory, takeHeapSnapshot } from './inspector.js';
import { memoryOf } from './process-figures.js';
import { trustingEnvironment } from '../../test/support/trusting-home.js';

export type ServerStart = {
  /** The program and its arguments. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Contains its home, state and workspace. */
  readonly folder: string;
  readonly modelUrl: string;
  /** Allows measuring its memory; makes the start a little slower. */
  readonly canInspect?: boolean;
};

export type ServerProcess = {
  readonly port: number;
  /** Milliseconds from exec to the reply with the agent card. */
  readonly startMs: number;
  readonly pid: number;
  readonly heapSnapshot: () => Promise<string>;
  /** Megabytes, after a garbage collection. */
  readonly memory: () => Promise<Memory & { readonly all: number }>;
  stop(): Promise<void>;
};

/** Starts a server from its own program, as a user would, and waits for its agent card. Discards its output. */
export async function startServerProcess(start: ServerStart): Promise<ServerProcess> {
  const { args, folder, modelUrl, canInspect = false } = start;
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace, { recursive: true });
  const port = await freePort();
  const inspect = canInspect ? ['--inspect=127.0.0.1:0'] : [];
  const startedAt = now();
  const child = spawn(process.execPath, [...inspect, ...args], {
    cwd: workspace,
    env: {
      PATH: process.env['PATH'],
      HOME: join(folder, 'home'),
      ...trustingEnvironment(join(folder, 'home'), modelUrl),
      CODER_AGENT_PORT: String(port),
      CODER_AGENT_WORKSPACE_PATH: workspace,
      COSESSION_STATE_DIR: join(folder, 'state'),
      ...start.env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const forget = atExit(() => child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors = (errors + data.toString()).slice(0, 10_000)));
  while (!(await hasCard(port))) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${errors}`);
    await sleep(5);
  }
  const startMs = now() - startedAt;
  const inspectorUrl = (): string => /ws:\S+/.exec(errors)?.[0] ?? '';
  const pid = child.pid ?? 0;
  return {
    port,
    startMs,
    pid,
    heapSnapshot: () => takeHeapSnapshot(inspectorUrl()),
    async memory() {
      return { ...(await collectGarbage(inspectorUrl())), all: memoryOf(pid) };
    },
    async stop() {
      const exited = once(child, 'exit');
      forget();
      await exited;
    },
  };
}

const main = resolve('dist/main.js');

/** The built `cosession serve`. */
export function cosessionServe(...flags: string[]): Pick<ServerStart, 'args'> {
  return { args: [main, 'serve', ...flags] };
}

/** The floor: the least that an engine on gemini-cli-core has to do. */
export function bareCoreServer(): Pick<ServerStart, 'args'> {
  const file = fileURLToPath(new URL('../processes/bare-core-server.ts', import.meta.url));
  return { args: ['--import', import.meta.resolve('tsx'), file] };
}

/** Both servers need a port as an argument. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server, 0);
  server.close();
  await once(server, 'close');
  return port;
}

function hasCard(port: number): Promise<boolean> {
  return new Promise((done) => {
    const call = get({ host: '127.0.0.1', port, path: '/.well-known/agent-card.json', agent: false }, (response) => {
      response.resume();
      response.once('end', () => done(response.statusCode === 200));
    });
    call.once('error', () => done(false));
  });
}

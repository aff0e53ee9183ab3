import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';
import { atExit, temporaryFolder } from './clean-up.js';
import { now } from './clock.js';
import { collectGarbage, type Memory, takeHeapSnapshot } from './inspector.js';
import { memoryOf, treeOf } from './process-figures.js';
import { trustingEnvironment } from '../../test/support/trusting-home.js';

/** How a server is started. */
export type ServerProgram = {
  /** Node if not given. */
  readonly command?: string;
  /** With Node, the program and its arguments. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** It is ready when this is answered; the agent card if not given. */
  readonly readyPath?: string;
};

/** Where it runs, and with which model. */
export type ServerPlace = {
  /** Contains its home, state and workspace. */
  readonly folder: string;
  readonly modelUrl: string;
  readonly port: number;
};

export type ServerStart = ServerProgram &
  Omit<ServerPlace, 'port'> & {
    /** A free one if not given. */
    readonly port?: number;
    /** Allows measuring its memory; makes the start a little slower. */
    readonly canInspect?: boolean;
  };

export type ServerProcess = {
  readonly port: number;
  /** Milliseconds from exec to the reply that tells that it is ready. */
  readonly startMs: number;
  readonly pid: number;
  readonly heapSnapshot: () => Promise<string>;
  /** Megabytes, after a garbage collection. */
  readonly memory: () => Promise<Memory & { readonly all: number }>;
  stop(): Promise<void>;
};

/** Starts a server from its own program, as a user would, and waits until it is ready. Discards its output. */
export async function startServerProcess(start: ServerStart): Promise<ServerProcess> {
  const { command = process.execPath, args, folder, modelUrl, readyPath = cardPath, canInspect = false } = start;
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace, { recursive: true });
  const port = start.port ?? (await freePort());
  const inspect = canInspect ? ['--inspect=127.0.0.1:0'] : [];
  const startedAt = now();
  const child = spawn(command, [...inspect, ...args], {
    cwd: workspace,
    env: {
      PATH: process.env['PATH'],
      HOME: join(folder, 'home'),
      ...trustingEnvironment(join(folder, 'home'), modelUrl),
      CODER_AGENT_PORT: String(port),
      CODER_AGENT_WORKSPACE_PATH: workspace,
      COSESSION_STATE_DIR: join(folder, 'state'),
      XDG_CACHE_HOME: cache.path,
      ...start.env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const forget = atExit(() => {
    // Some servers start processes that would outlive them.
    if (!hasEnded()) endAll(treeOf(pid));
  });
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors = (errors + data.toString()).slice(0, 10_000)));
  const server = { isReady: false };
  while (!server.isReady) {
    if (hasEnded()) throw new Error(`the server ended with ${child.exitCode}: ${errors}`);
    await sleep(5);
    // A server may never answer a request that came while it started.
    await Promise.race([answers(port, readyPath).then((did) => (server.isReady ||= did)), sleep(100)]);
  }
  const startMs = now() - startedAt;
  const inspectorUrl = (): string => /ws:\S+/.exec(errors)?.[0] ?? '';
  return {
    port,
    startMs,
    pid,
    heapSnapshot: () => takeHeapSnapshot(inspectorUrl()),
    async memory() {
      return { ...(await collectGarbage(inspectorUrl())), all: memoryOf(pid) };
    },
    async stop() {
      const exited = hasEnded() ? undefined : once(child, 'exit');
      const tree = treeOf(pid);
      // It may keep something for its next start.
      child.kill('SIGTERM');
      await Promise.race([exited, sleep(stopMs)]);
      endAll(tree);
      await exited;
      forget();
    },
  };
}

/** A server that does not stop by itself is killed after this long. */
const stopMs = 2000;
/** All servers of a run share it, as those of a user do. */
const cache = temporaryFolder();
const cardPath = '/.well-known/agent-card.json';
const main = resolve('dist/main.js');

/** The built `cosession serve`. */
export function cosessionServe(...flags: string[]): ServerProgram {
  return { args: [main, 'serve', ...flags] };
}

/** The floor: the least that an engine on gemini-cli-core has to do. */
export function bareCoreServer(): ServerProgram {
  const file = fileURLToPath(new URL('../processes/bare-core-server.ts', import.meta.url));
  return { args: ['--import', import.meta.resolve('tsx'), file] };
}

/** No server tells which port it got. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server, 0);
  server.close();
  await once(server, 'close');
  return port;
}

function endAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

function answers(port: number, path: string): Promise<boolean> {
  return new Promise((done) => {
    const call = get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      response.resume();
      response.once('end', () => done(response.statusCode === 200));
    });
    call.once('error', () => done(false));
  });
}

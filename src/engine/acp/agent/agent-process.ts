import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { createInterface } from 'node:readline';

export type AgentProcessOptions = {
  /** The program and its arguments. No shell is involved. */
  readonly words: readonly string[];
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
  /** Called with each line that the agent writes to standard error. */
  readonly onComplaint: (line: string) => void;
};

export type AgentProcess = {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** How it ended, such as `exited with code 1`, followed by its last lines of standard error. */
  readonly ended: Promise<string>;
  /** Ends the agent and everything it started. Resolves once it is gone. */
  stop(): Promise<void>;
};

/** How long an agent may take to end before it is killed. */
const graceMs = 2000;
const keptComplaints = 3;
const maxComplaint = 500;

/** Starts an agent in its own process group. A failure to start is reported through `ended`. */
export function startAgent({ words, workspace, env, onComplaint }: AgentProcessOptions): AgentProcess {
  const [program = '', ...args] = words;
  const child = spawn(program, args, { cwd: workspace, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const complaints = readComplaints(child, onComplaint);
  // Input for a program that has just ended is lost; `ended` reports the end.
  child.stdin.on('error', () => {});
  if (child.pid !== undefined) running.add(child.pid);
  const unleash = child.pid === undefined ? () => {} : leash(child.pid);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
    child.once('close', (code, signal) => {
      if (child.pid !== undefined) running.delete(child.pid);
      unleash();
      const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
      resolve([how, ...complaints].join(': '));
    });
  });
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    ended,
    async stop() {
      killGroup(child.pid, 'SIGTERM');
      const timer = setTimeout(() => killGroup(child.pid, 'SIGKILL'), graceMs);
      await ended;
      clearTimeout(timer);
      // A process that it started may have outlived it.
      killGroup(child.pid, 'SIGKILL');
    },
  };
}

/** The newest lines of standard error, which usually say why a program ended. */
function readComplaints(child: ChildProcessByStdio<Writable, Readable, Readable>, onLine: (line: string) => void) {
  const kept: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.trim() === '') return;
    const short = line.slice(0, maxComplaint);
    kept.push(short);
    if (kept.length > keptComplaints) kept.shift();
    onLine(short);
  });
  return kept;
}

const running = new Set<number>();

/** However this process exits, it leaves no agent behind. */
process.on('exit', () => {
  for (const pid of running) killGroup(pid, 'SIGKILL');
});

/**
 * Some agents keep running when their client is gone, and a killed process cannot end its children. So a shell kills
 * the agent when a pipe that only we hold is closed. Returns a function that releases the agent.
 */
function leash(pid: number): () => void {
  const watcher = spawn('/bin/sh', ['-c', 'read -r _; kill -s KILL -- "-$0"', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
    detached: true,
  });
  watcher.on('error', () => {});
  watcher.stdin.on('error', () => {});
  watcher.unref();
  return () => killGroup(watcher.pid, 'SIGKILL');
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The process is already gone.
  }
}

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { createInterface } from 'node:readline';

export type AgentProcessOptions = {
  /** The program and its arguments; no shell is involved. */
  readonly words: readonly string[];
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
  /** A line the agent wrote to standard error. */
  readonly onComplaint: (line: string) => void;
};

export type AgentProcess = {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** How it ended, in a few words: `exited with code 1: the last it complained about`. */
  readonly ended: Promise<string>;
  /** Ends the agent with everything it started; resolves when it is gone. */
  stop(): Promise<void>;
};

/** An agent that is asked to end has this long. */
const graceMs = 2000;
const keptComplaints = 3;
const maxComplaint = 500;

/** Starts an agent in a process group of its own. Failure to start is a way to end. */
export function startAgent({ words, workspace, env, onComplaint }: AgentProcessOptions): AgentProcess {
  const [program = '', ...args] = words;
  const child = spawn(program, args, { cwd: workspace, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const complaints = readComplaints(child, onComplaint);
  // What is written to a program that has just ended is lost; `ended` tells it.
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
      // Something it started may have outlived it.
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

/** However we end, no agent is left behind. */
process.on('exit', () => {
  for (const pid of running) killGroup(pid, 'SIGKILL');
});

/**
 * Not every agent ends when nobody speaks with it any more, and a program that is killed cannot end what it started. So a
 * shell waits for the end of a pipe that only we hold. Returns how to let the agent go.
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
    // It is gone already.
  }
}

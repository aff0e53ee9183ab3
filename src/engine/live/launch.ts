import { spawn } from 'node:child_process';
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { replaceProcess } from './replace-process.js';

export type CliStart = {
  readonly entry: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Loaded into the CLI's process before the CLI. */
  readonly preload: string;
};

export type LaunchOptions = Omit<CliStart, 'preload'> & {
  /** Undefined starts the CLI untouched. */
  readonly preload?: string;
  /** This process has something else to do while the CLI runs. */
  readonly isBusy: boolean;
  /** Runs the CLI in this process. */
  readonly loadHere: (start: CliStart) => Promise<never>;
};

/** The CLI exits with this code when it wants to be restarted, for example after a change of settings. */
export const startAgain = 199;

/** Tells the CLI not to start itself a second time. A user who sets it wants one process, and does without its restarts. */
const noRelaunch = 'GEMINI_CLI_NO_RELAUNCH';

/**
 * Runs the Gemini CLI in this terminal until it ends and resolves to its exit code. Replaces the CLI's own launcher
 * process, so the CLI starts only once. If possible, the CLI even takes the place of this process; what is loaded into it then
 * restarts it.
 */
export async function launch({ entry, args, env, preload, isBusy, loadHere }: LaunchOptions): Promise<number> {
  const hook = preload === undefined ? [] : ['--import', preload];
  const nodeArgs = [...hook, ...memoryArgs(), entry, ...args];
  const childEnv = { ...env, [noRelaunch]: 'true' };
  if (preload !== undefined && !isBusy) {
    replaceProcess(nodeArgs, childEnv);
    if (env[noRelaunch]) return loadHere({ entry, args, env: childEnv, preload });
  }
  let adminSettings: unknown;
  for (;;) {
    const ended = await run(nodeArgs, childEnv, adminSettings);
    if (ended.code !== startAgain) return ended.code;
    adminSettings = ended.adminSettings;
  }
}

type Ended = { readonly code: number; readonly adminSettings: unknown };

function run(nodeArgs: string[], env: NodeJS.ProcessEnv, given: unknown): Promise<Ended> {
  let adminSettings = given;
  const child = spawn(process.execPath, nodeArgs, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
  if (adminSettings !== undefined) child.send({ type: 'admin-settings', settings: adminSettings });
  child.on('message', (message: { type?: string; settings?: unknown }) => {
    if (message.type === 'admin-settings-update') adminSettings = message.settings;
  });
  // Ctrl-C reaches the CLI through the terminal. Signals that only this process receives are forwarded.
  const ignore = (): void => {};
  const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on('SIGINT', ignore);
  process.on('SIGTERM', passOn);
  process.on('SIGHUP', passOn);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      process.off('SIGINT', ignore);
      process.off('SIGTERM', passOn);
      process.off('SIGHUP', passOn);
      resolve({ code: code ?? (signal === null ? 1 : 128), adminSettings });
    });
  });
}

/** The CLI's launcher gives it half of the machine's memory, so this one does too. */
function memoryArgs(): string[] {
  const megabyte = 1024 * 1024;
  const half = Math.floor(totalmem() / megabyte / 2);
  const limit = Math.floor(getHeapStatistics().heap_size_limit / megabyte);
  return half > limit ? [`--max-old-space-size=${half}`] : [];
}

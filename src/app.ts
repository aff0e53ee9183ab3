import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Io } from './commands/io.js';
import { type Flags, UsageError } from './config/flags.js';
import { readGeminiWishes } from './config/gemini-wishes.js';
import { putLiveOptions } from './config/live-options.js';
import { readKey } from './config/read-key.js';
import { whyNotShareable } from './config/shareable.js';
import { stateDir } from './config/state-dir.js';
import { version } from './config/version.js';
import { findCli, type GeminiCli, isSupported, unsupportedSentence } from './engine/live/find-cli.js';
import { launch } from './engine/live/launch.js';
import { splitWords } from './util/split-words.js';

/** Runs another agent in the place of the Gemini CLI. Resolves to the exit code. */
export async function startAgent(command: string, flags: Flags, env: NodeJS.ProcessEnv, io: Io): Promise<number> {
  const { port = 0, engineMode, geminiArgs } = flags;
  const [unknown] = geminiArgs;
  if (unknown !== undefined)
    throw new UsageError(`--engine runs another agent than the Gemini CLI, which "${unknown}" is for`);
  if (flags.demo) throw new UsageError('--demo is a model for the Gemini CLI; --engine runs another agent');
  checkCommand(command);
  const { runAgent } = await import('./host/run-agent.js');
  return runAgent({
    ...endpointOptions(flags),
    command,
    port,
    env,
    io,
    ...(engineMode === undefined ? {} : { mode: engineMode }),
  });
}

function checkCommand(command: string): void {
  try {
    if (splitWords(command).length > 0) return;
  } catch (error) {
    throw new UsageError(`--engine: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new UsageError('--engine needs a command, e.g. --engine "goose acp"');
}

/** Starts the Gemini CLI in this terminal, shared if a port was given. Resolves to its exit code. */
export async function startLive(flags: Flags, env: NodeJS.ProcessEnv, io: Io): Promise<number> {
  const cli = findCli(flags.geminiCli, env['PATH']);
  const mayShare = flags.geminiCli === undefined || isSupported(cli);
  const { port } = flags;
  if (port !== undefined) {
    checkShareable(flags, env, cli, mayShare);
    if (!io.stdin.isTTY || !io.stdout.isTTY) return startHeadless({ ...flags, port }, env, io);
  }
  const demo = flags.demo
    ? await (await import('./serve/demo.js')).startDemo(join(stateDir(env), 'demo-home'))
    : undefined;
  try {
    return await launch({
      entry: cli.entry,
      args: flags.geminiArgs,
      env: { ...env, ...demo?.env, ...(mayShare ? liveEnvironment(flags, env) : {}) },
      ...(mayShare ? { preload: fileURLToPath(new URL('./live.js', import.meta.url)) } : {}),
    });
  } finally {
    await demo?.close();
  }
}

/** The same endpoint where there is no terminal. */
async function startHeadless(flags: Flags & { port: number }, env: NodeJS.ProcessEnv, io: Io): Promise<number> {
  const { runHeadless } = await import('./host/run-headless.js');
  const wishes = readGeminiWishes(flags.geminiArgs);
  return runHeadless({ ...endpointOptions(flags), port: flags.port, demo: flags.demo, wishes, env, io });
}

/** What the flags say about the endpoint, whatever is behind it. */
function endpointOptions({ grpcPort, requireToken, pushAllow, acpV2, cardKey, turnEnd }: Flags) {
  return {
    requireToken,
    pushAllow,
    acpV2,
    version,
    ...(grpcPort === undefined ? {} : { grpcPort }),
    ...(cardKey === undefined ? {} : { cardKey: readKey(cardKey) }),
    ...(turnEnd === undefined ? {} : { turnEnd }),
  };
}

function checkShareable(flags: Flags, env: NodeJS.ProcessEnv, cli: GeminiCli, isSupportedRelease: boolean): void {
  if (!isSupportedRelease) throw new Error(unsupportedSentence(cli));
  const why = whyNotShareable({ args: flags.geminiArgs, env, workspace: process.cwd() });
  if (why !== undefined) throw new UsageError(why);
}

function liveEnvironment(flags: Flags, env: NodeJS.ProcessEnv): Record<string, string> {
  const { port, geminiCli } = flags;
  const isPinned = geminiCli === undefined;
  const where = port === undefined ? {} : { port };
  return putLiveOptions({ ...endpointOptions(flags), ...where, isPinned, stateDir: stateDir(env) });
}

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { putLiveOptions } from '../../config/live-options.js';
import { version } from '../../config/version.js';
import { findCli, type GeminiCli, isSupported, unsupportedSentence } from '../../engine/live/find-cli.js';
import { isOwnWord } from '../../engine/live/own-words.js';
import { UsageError } from '../../util/usage-error.js';
import { endpointShare } from '../argv/endpoint-flags.js';
import { readGeminiWishes } from '../argv/gemini-wishes.js';
import type { LiveFlags } from '../argv/live-flags.js';
import { whyNotShareable } from '../argv/shareable.js';
import { checkTlsFlags } from '../argv/tls-flags.js';
import { refuseTypos } from '../argv/typos.js';
import type { Io } from '../view/io.js';
import { defined } from '../../util/defined.js';

/** Starts the Gemini CLI in this terminal and shares it if a port was given. Resolves to its exit code. */
export async function startLive(flags: LiveFlags, args: readonly string[], io: Io): Promise<number> {
  const { port, requireToken, host, demo, geminiCli } = flags;
  checkTlsFlags(flags);
  const endpoint = { ...endpointShare(flags), requireToken, host };
  const { env, stateDir } = io;
  const cli = findCli(geminiCli, env['PATH']);
  refuseTypos(args, (word) => isOwnWord(cli, word));
  const mayShare = geminiCli === undefined || isSupported(cli);
  if (port !== undefined) {
    checkShareable(args, io, cli, mayShare);
    if (!io.stdin.isTTY || !io.stdout.isTTY) {
      const { runHeadless } = await import('../../apps/host/run-headless.js');
      return runHeadless({ ...endpoint, port, demo, wishes: readGeminiWishes(args), version, env, io });
    }
  }
  const model = demo
    ? await (await import('../../apps/serve/demo.js')).startDemo(join(stateDir, 'demo-home'))
    : undefined;
  const where = defined({ port });
  const options = { ...endpoint, ...where, isPinned: geminiCli === undefined, stateDir, version };
  const { launch } = await import('../../engine/live/launch.js');
  try {
    return await launch({
      entry: cli.entry,
      args: asksForHelp(args) ? args.slice(1) : args,
      env: { ...env, ...model?.env, ...(mayShare ? putLiveOptions(options) : {}) },
      ...(mayShare ? { preload: fileURLToPath(new URL('./live.js', import.meta.url)) } : {}),
      isBusy: model !== undefined,
      loadHere: async (start) => (await import('../../apps/host/load-here.js')).loadHere(start),
    });
  } finally {
    await model?.close();
  }
}

/** `cosession -- --help` shows the help of the Gemini CLI, which would otherwise take everything after `--` as a prompt. */
function asksForHelp([end, word, ...more]: readonly string[]): boolean {
  return end === '--' && (word === '--help' || word === '-h') && more.length === 0;
}

function checkShareable(args: readonly string[], io: Io, cli: GeminiCli, isSupportedRelease: boolean): void {
  if (!isSupportedRelease) throw new Error(unsupportedSentence(cli));
  const why = whyNotShareable({ args, env: io.env, workspace: io.folder });
  if (why !== undefined) throw new UsageError(why);
}

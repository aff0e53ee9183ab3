import { version } from '../../config/version.js';
import { splitWords } from '../../util/text/split-words.js';
import { UsageError } from '../../util/usage-error.js';
import { endpointShare } from '../argv/endpoint-flags.js';
import type { LiveFlags } from '../argv/live-flags.js';
import { checkTlsFlags } from '../argv/tls-flags.js';
import type { Io } from '../view/io.js';
import { defined } from '../../util/defined.js';

/** `cosession --engine`: runs another agent instead of the Gemini CLI. Resolves to the exit code. */
export async function runAgentCommand(
  command: string,
  flags: LiveFlags,
  args: readonly string[],
  io: Io,
): Promise<number> {
  const { port = 0, requireToken, host, engineMode, demo } = flags;
  checkTlsFlags(flags);
  const { env } = io;
  const [unknown] = args;
  if (unknown !== undefined)
    throw new UsageError(`"${unknown}" is for the Gemini CLI, and --engine runs another agent`);
  if (demo) throw new UsageError('--demo is a model for the Gemini CLI; --engine runs another agent');
  checkCommand(command);
  const { runAgent } = await import('../../apps/host/run-agent.js');
  const mode = defined({ mode: engineMode });
  return runAgent({ ...endpointShare(flags), requireToken, host, command, port, version, env, io, ...mode });
}

function checkCommand(command: string): void {
  try {
    if (splitWords(command).length > 0) return;
  } catch (error) {
    throw new UsageError(`--engine: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new UsageError('--engine needs a command, e.g. --engine "goose acp"');
}

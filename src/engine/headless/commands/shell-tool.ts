import { randomUUID } from 'node:crypto';
import type { Config } from '@google/gemini-cli-core';
import { AppError } from '../../../domain/errors.js';
import type { Core } from '../core.js';

export type ShellToolContext = { readonly core: Core; readonly config: Config; readonly signal: AbortSignal };

/** Runs a shell command as a tool call like the agent's own: same policies, same question, same environment. */
export async function runShellTool({ core, config, signal }: ShellToolContext, command: string): Promise<string> {
  const request = {
    callId: randomUUID(),
    name: core.SHELL_TOOL_NAME,
    args: { command },
    // A call of the client's own would not be asked about.
    isClientInitiated: false,
    prompt_id: config.getSessionId(),
  };
  const { toolRegistry } = config;
  const [done] = await core.scheduleAgentTools(config, [request], { schedulerId: 'command', toolRegistry, signal });
  signal.throwIfAborted();
  if (done?.status === core.CoreToolCallStatus.Success) return textOf(done.response.resultDisplay);
  const why = done?.status === core.CoreToolCallStatus.Cancelled ? 'was not allowed' : 'could not be run';
  throw new AppError('command-failed', `"${command}" ${why}: ${done?.response.error?.message ?? 'no reason given'}`);
}

function textOf(display: unknown): string {
  return typeof display === 'string' ? display : '';
}

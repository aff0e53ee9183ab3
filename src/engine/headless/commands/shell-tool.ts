import { randomUUID } from 'node:crypto';
import type { Config } from '@google/gemini-cli-core';
import { AppError } from '../../../domain/errors.js';
import type { Core } from '../core/core.js';

export type ShellToolContext = { readonly core: Core; readonly config: Config; readonly signal: AbortSignal };

/** Runs a shell command like one of the agent's own tool calls: same policies, same question, same environment. */
export async function runShellTool({ core, config, signal }: ShellToolContext, command: string): Promise<string> {
  const request = {
    callId: randomUUID(),
    name: core.SHELL_TOOL_NAME,
    args: { command },
    // A client-initiated call would run without a question.
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

import type { SessionUpdate } from '@agentclientprotocol/sdk/experimental/v2';
import { isFinal, type ToolCall } from '../../domain/tool-call.js';
import { kindOf, titleOf } from '../acp/call-facts.js';
import type { View } from '../acp/dialect.js';
import { newsAfter, printedBy, withLineEnds } from '../acp/terminal-output.js';

/** The terminal of a command has the id of its call. A command that has not started has no terminal. */
export function hasTerminal(call: ToolCall, view: View): boolean {
  if (kindOf(call) !== 'execute') return false;
  return call.status === 'executing' || isOpen(view) || (call.status === 'succeeded' && call.output.kind === 'text');
}

/** The changes in the terminal of a call. */
export function terminalUpdates(call: ToolCall, view: View): SessionUpdate[] {
  const { id: terminalId } = call;
  const output = call.status === 'failed' ? undefined : printedBy(call);
  const news = isOpen(view) && output !== undefined ? newsAfter(view.printed, output) : undefined;
  const changes = {
    ...(isOpen(view) ? {} : { command: titleOf(call) }),
    ...(output === undefined || news !== undefined ? {} : { output: { data: toBase64(output) } }),
    // The exit code is unknown: engines report success even for commands whose output says otherwise.
    ...(isFinal(call) ? { exitStatus: {} } : {}),
  };
  return [
    ...(news === undefined || news === ''
      ? []
      : [{ sessionUpdate: 'terminal_output_chunk', terminalId, data: toBase64(news) } as const]),
    ...(Object.keys(changes).length === 0
      ? []
      : [{ sessionUpdate: 'terminal_update', terminalId, ...changes } as const]),
  ];
}

/** The client has seen the command run. */
export function isOpen({ knowsCall, statusBefore }: View): boolean {
  return knowsCall && statusBefore === 'executing';
}

function toBase64(text: string): string {
  return Buffer.from(withLineEnds(text)).toString('base64');
}

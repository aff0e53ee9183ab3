import type { ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { ToolCall } from '../../domain/tool-call.js';

/**
 * A convention from Zed: a client with `_meta.terminal_output: true` shows a terminal inside the tool call, and gets the output
 * piece by piece instead of the whole text every time.
 */
export function withTerminal(update: ToolCallUpdate, call: ToolCall, printed: Printed): ToolCallUpdate {
  const terminal_id = call.id;
  const terminal: ToolCallContent = { type: 'terminal', terminalId: terminal_id };
  const output = printedBy(call);
  return {
    ...update,
    content: [terminal],
    _meta: {
      ...update._meta,
      ...(printed.isNew ? { terminal_info: { terminal_id } } : {}),
      ...(output === undefined ? {} : { terminal_output: { terminal_id, data: added(printed.text, output) } }),
      ...(isOver(call)
        ? { terminal_exit: { terminal_id, exit_code: call.status === 'succeeded' ? 0 : 1, signal: null } }
        : {}),
    },
  };
}

/** What the client's terminal for this call already shows. */
export type Printed = { readonly isNew: boolean; readonly text: string };

/** The text that a call has printed so far; undefined if this update has none. */
export function printedBy(call: ToolCall): string | undefined {
  if (call.status === 'executing') return call.liveOutput;
  if (call.status === 'succeeded') return call.output.kind === 'text' ? call.output.text : undefined;
  return call.status === 'failed' ? call.error.message : undefined;
}

function added(before: string, now: string): string {
  return withLineEnds(newsAfter(before, now) ?? `${clearScreen}${now}`);
}

/**
 * What was printed since. Undefined if all of it has to be shown again: only the end of a long output is kept, and the result
 * may be worded differently. A result that only lost its trailing line ends adds nothing.
 */
export function newsAfter(before: string, now: string): string | undefined {
  if (now.startsWith(before)) return now.slice(before.length);
  return now.trimEnd() === before.trimEnd() ? '' : undefined;
}

/** Terminals need CRLF. */
export function withLineEnds(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}

const clearScreen = '\u001b[2J\u001b[3J\u001b[H';

function isOver({ status }: ToolCall): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled';
}

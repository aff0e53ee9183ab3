import type { SessionUpdate, ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk/experimental/v2';
import type { FileDiff, ToolCall } from '../../domain/tool-call.js';
import { contentOfCall, factsOf, moreOf } from '../acp/call-facts.js';
import type { View } from '../acp/dialect.js';
import { meta } from '../acp/meta.js';
import { todosOf } from '../acp/plan.js';
import { gitPatch, isNewFile } from './git-patch.js';
import { hasTerminal, isOpen, terminalUpdates } from './terminal.js';

const acpStatus = {
  pending: 'pending',
  waiting: 'pending',
  executing: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
} as const satisfies Record<ToolCall['status'], string>;

/** The updates for a changed call. While a command runs, only its new output. */
export function toolUpdates(call: ToolCall, view: View): SessionUpdate[] {
  const isTerminal = hasTerminal(call, view);
  const terminal = isTerminal ? terminalUpdates(call, view) : [];
  if (isTerminal && isOpen(view) && call.status === 'executing') return terminal;
  const entries = todosOf(call);
  const update = { sessionUpdate: 'tool_call_update', ...toToolCallV2(call, isTerminal) } as const;
  const plan = { type: 'items', planId: 'todos' } as const;
  return [
    ...terminal,
    update,
    ...(entries === undefined ? [] : [{ sessionUpdate: 'plan_update', plan: { ...plan, entries } } as const]),
  ];
}

/** Everything known about a call; `content` is absent if what was shown before is still valid. */
export function toToolCallV2(call: ToolCall, isTerminal = false): ToolCallUpdate {
  const shown: ToolCallContent[] = contentOfCall(call, toDiff);
  const isOutput = call.status === 'executing' || call.status === 'succeeded';
  const content: ToolCallContent[] = isTerminal
    ? [{ type: 'terminal', terminalId: call.id }, ...(isOutput ? [] : shown)]
    : shown;
  const more = moreOf(call);
  return {
    ...factsOf(call),
    status: acpStatus[call.status],
    ...(content.length === 0 ? {} : { content }),
    ...(Object.keys(more).length === 0 ? {} : { _meta: meta(more) }),
  };
}

function toDiff(diff: FileDiff): ToolCallContent {
  const text = gitPatch(diff);
  const file = { path: diff.filePath, fileType: 'text' };
  return {
    type: 'diff',
    changes: [isNewFile(diff) ? { operation: 'add', ...file } : { operation: 'modify', ...file }],
    ...(text === undefined ? {} : { patch: { format: 'git_patch', text } }),
  };
}

import type { ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { FileDiff, ToolCall } from '../../domain/tool-call.js';
import { contentOfCall, factsOf, moreOf } from '../acp/call-facts.js';
import { meta } from '../acp/meta.js';

type Status = NonNullable<ToolCallUpdate['status']>;

/** ACP v1 has no cancelled status: such a call fails, and `_meta` says that it was cancelled. */
const acpStatus = {
  pending: 'pending',
  waiting: 'pending',
  executing: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  cancelled: 'failed',
} as const satisfies Record<ToolCall['status'], Status>;

/** Everything ACP can express about a call, in full on every change. `content` is absent if what was shown is still valid. */
export function toAcpToolCall(call: ToolCall): ToolCallUpdate & { title: string } {
  const { status } = call;
  const content = contentOfCall(call, toDiff);
  const more = { ...moreOf(call), ...(status === 'cancelled' ? { status } : {}) };
  return {
    ...factsOf(call),
    status: acpStatus[status],
    ...(content.length === 0 ? {} : { content }),
    ...(Object.keys(more).length === 0 ? {} : { _meta: meta(more) }),
  };
}

function toDiff({ filePath, oldContent, newContent }: FileDiff): ToolCallContent {
  return { type: 'diff', path: filePath, oldText: oldContent ?? null, newText: newContent };
}

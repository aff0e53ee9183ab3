import type { ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { FileDiff, ToolCall } from '../../domain/tool-call.js';
import { contentOfCall, factsOf, moreOf } from './call-facts.js';
import { meta } from './meta.js';

type Status = NonNullable<ToolCallUpdate['status']>;

/** ACP v1 knows no cancelled call; `_meta` says that this failure was one. */
const acpStatus = {
  pending: 'pending',
  waiting: 'pending',
  executing: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  cancelled: 'failed',
} as const satisfies Record<ToolCall['status'], Status>;

/** All that ACP can say about a call, whole on every change; `content` is absent where what was shown before still holds. */
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

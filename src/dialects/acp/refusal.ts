import type { AcpReader } from './dialect.js';
import { meta } from './meta.js';

/** An answer that was rejected: it came too late, or was not one of the options. */
export type RefusedAnswer = { readonly callId: string; readonly optionId: string; readonly reason: string };

/** ACP has no reply to an answer. Clients that can show notices get one; others get a tool call update with the reason. */
export function toRefusal({ callId, optionId, reason }: RefusedAnswer, { hasNotices }: AcpReader): object {
  const _meta = meta({ refused: { optionId, reason } });
  if (!hasNotices) return { sessionUpdate: 'tool_call_update', toolCallId: callId, _meta };
  return { sessionUpdate: 'notice', severity: 'warning', title: reason, _meta };
}

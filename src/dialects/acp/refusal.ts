import type { AcpReader } from './dialect.js';
import { meta } from './meta.js';

/** An answer that decided nothing: it came too late, or was none of the options. */
export type Refusal = { readonly callId: string; readonly optionId: string; readonly reason: string };

/** ACP has no reply to an answer. Who can show notices gets one, everybody else an update of the call with the facts. */
export function toRefusal({ callId, optionId, reason }: Refusal, { hasNotices }: AcpReader): object {
  const _meta = meta({ refused: { optionId, reason } });
  if (!hasNotices) return { sessionUpdate: 'tool_call_update', toolCallId: callId, _meta };
  return { sessionUpdate: 'notice', severity: 'warning', title: reason, _meta };
}

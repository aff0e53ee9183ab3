import { cancelOption, type ToolCall, type WaitingCall } from '../domain/tool-call.js';
import { defined } from '../util/defined.js';

/** What becomes of a waiting call with this answer. An editor that opens at the terminal is work on the call, too: the engine asks again after it. */
export function afterAnswer(call: WaitingCall, optionId: string): ToolCall {
  const base = withoutState(call);
  if (optionId === cancelOption || call.approval.refusals?.includes(optionId)) return { ...base, status: 'cancelled' };
  return { ...base, status: 'executing' };
}

/** A call without what belongs to its status. */
export function withoutState(call: ToolCall): Omit<WaitingCall, 'status' | 'approval'> {
  const { id, name, args, description, correlationId, parentId, resolution } = call;
  return {
    id,
    name,
    args,
    ...defined({ description, correlationId, parentId, resolution }),
  };
}

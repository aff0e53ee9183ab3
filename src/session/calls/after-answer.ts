import { cancelOption, type ToolCall, type WaitingCall } from '../../domain/tool-call.js';
import { defined } from '../../util/defined.js';

/** The waiting call after this answer. An editor opened in the terminal counts as executing: the engine asks again later. */
export function afterAnswer(call: WaitingCall, optionId: string): ToolCall {
  const base = withoutState(call);
  if (optionId === cancelOption || call.approval.refusals?.includes(optionId)) return { ...base, status: 'cancelled' };
  return { ...base, status: 'executing' };
}

/** The call without the fields that depend on its status. */
export function withoutState(call: ToolCall): Omit<WaitingCall, 'status' | 'approval'> {
  const { id, name, args, description, correlationId, parentId, resolution } = call;
  return {
    id,
    name,
    args,
    ...defined({ description, correlationId, parentId, resolution }),
  };
}

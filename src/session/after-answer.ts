import { cancelOption, type ToolCall, type WaitingCall } from '../domain/tool-call.js';

/** What becomes of a waiting call with this answer. `isModified`: the answer brought the file's new content. */
export function afterAnswer(call: WaitingCall, optionId: string, isModified: boolean): ToolCall {
  const base = withoutState(call);
  if (optionId === cancelOption || call.approval.refusals?.includes(optionId)) return { ...base, status: 'cancelled' };
  // At the terminal an editor opens and the engine asks again.
  if (optionId === 'modify_with_editor' && !isModified) return { ...base, status: 'pending' };
  return { ...base, status: 'executing' };
}

/** A call without what belongs to its status. */
export function withoutState(call: ToolCall): Omit<WaitingCall, 'status' | 'approval'> {
  const { id, name, args, description, correlationId, parentId, resolution } = call;
  return {
    id,
    name,
    args,
    ...(description === undefined ? {} : { description }),
    ...(correlationId === undefined ? {} : { correlationId }),
    ...(parentId === undefined ? {} : { parentId }),
    ...(resolution === undefined ? {} : { resolution }),
  };
}

import type { Approval, ToolCall, ToolCallState } from '../../domain/tool-call.js';
import type { CoreToolCall } from './core-types.js';
import { type ApprovalRules, translateApproval } from './translate-approval.js';
import { plainText, translateOutput } from './translate-output.js';
import { defined } from '../../util/defined.js';

/** Translates one entry of core's `tool-calls-update`. Undefined while core decides whether to ask. Pure. */
export function translateCall(call: CoreToolCall, rules: ApprovalRules): ToolCall | undefined {
  const state = stateOf(call, rules);
  if (!state) return undefined;
  const { callId, name, args, parentCallId } = call.request;
  const description = call.invocation?.getDescription?.();
  return {
    id: callId,
    name,
    args,
    ...(description === undefined || description === '' ? {} : { description }),
    ...defined({ correlationId: call.correlationId, parentId: parentCallId }),
    ...state,
  };
}

function stateOf(call: CoreToolCall, rules: ApprovalRules): ToolCallState | undefined {
  switch (call.status) {
    case 'validating':
      return undefined;
    case 'awaiting_approval':
      // Answered but not scheduled: core waits until every parallel call has an answer.
      if (call.outcome !== undefined || !call.confirmationDetails) return { status: 'pending' };
      return {
        status: 'waiting',
        approval: inFolder(translateApproval(call.confirmationDetails, rules), call.request),
      };
    case 'executing': {
      const liveOutput = plainText(call.liveOutput);
      return liveOutput === '' ? { status: 'executing' } : { status: 'executing', liveOutput };
    }
    case 'success':
      return { status: 'succeeded', output: translateOutput(call.response?.resultDisplay) };
    case 'error':
      return { status: 'failed', error: errorOf(call) };
    case 'cancelled': {
      const reason = call.response?.error?.message;
      return reason === undefined ? { status: 'cancelled' } : { status: 'cancelled', reason };
    }
    // `scheduled`, and states that later releases may add
    default:
      return { status: 'pending' };
  }
}

/** Core's question about a command omits the folder that the model chose for it. */
function inFolder(approval: Approval, { args }: CoreToolCall['request']): Approval {
  const { details } = approval;
  const folder = args['dir_path'];
  if (details.kind !== 'execute' || typeof folder !== 'string' || folder === '') return approval;
  return { ...approval, details: { ...details, workingDirectory: folder } };
}

function errorOf({ response }: CoreToolCall): { message: string; type?: string } {
  const shown = plainText(response?.resultDisplay);
  const message = response?.error?.message ?? (shown === '' ? 'the tool failed' : shown);
  return response?.errorType === undefined ? { message } : { message, type: response.errorType };
}

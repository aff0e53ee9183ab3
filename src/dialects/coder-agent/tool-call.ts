import type { ApprovalDetails, ToolCall, WaitingCall } from '../../domain/tool-call.js';
import { unreachable } from '../../util/unreachable.js';
import { outputText } from '../shared/tool-text.js';
import type { CoderAgentEvent, CoderAgentQuestion } from './event-schemas.js';

type Of<Kind> = Omit<Extract<CoderAgentEvent, { kind: Kind }>, 'taskId' | 'contextId'>;

const statuses = {
  pending: 'PENDING',
  waiting: 'PENDING',
  executing: 'EXECUTING',
  succeeded: 'SUCCEEDED',
  failed: 'FAILED',
  cancelled: 'CANCELLED',
} as const satisfies Record<ToolCall['status'], string>;

export function toToolCallUpdate(call: ToolCall): Of<'tool-call-update'> {
  const { id, name, args, status } = call;
  return {
    kind: 'tool-call-update',
    toolCallId: id,
    toolName: name,
    status: statuses[status],
    inputParameters: args,
    ...(call.status === 'succeeded' ? { result: outputText(call.output) } : {}),
    ...(call.status === 'failed' ? { error: call.error.message } : {}),
    ...(call.status === 'cancelled' && call.reason !== undefined ? { error: call.reason } : {}),
  };
}

export function toToolCallConfirmation(call: WaitingCall): Of<'tool-call-confirmation'> {
  return {
    kind: 'tool-call-confirmation',
    toolCallId: call.id,
    toolName: call.name,
    inputParameters: call.args,
    confirmationRequest: toConfirmationRequest(call.approval.details),
  };
}

/** A command can do anything, a file change or an MCP tool some harm, a question from the agent none. */
export function toConfirmationRequest(details: ApprovalDetails): CoderAgentQuestion {
  switch (details.kind) {
    case 'execute':
      return { title: 'Run a shell command', prompt: details.command, type: 'danger' };
    case 'edit': {
      const { fileName, filePath, oldContent, formatted } = details.diff;
      const title = `${oldContent === undefined ? 'Create' : 'Change'} ${fileName}`;
      return { title, prompt: formatted ?? filePath, type: 'warning' };
    }
    case 'mcp':
      return {
        title: `Use ${details.toolName}`,
        prompt: `Let the MCP server ${details.serverName} run its tool ${details.toolName}`,
        type: 'warning',
      };
    case 'plan':
      return { title: 'Accept the plan', prompt: details.description, type: 'info' };
    case 'questions':
      return { title: 'The agent asks', prompt: details.description, type: 'info' };
    case 'generic':
      return { title: 'Continue?', prompt: details.description, type: 'info' };
    default:
      return unreachable(details);
  }
}

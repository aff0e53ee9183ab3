import type { ApprovalDetails, FileDiff, ToolCall, ToolError, ToolOutput } from '../../domain/tool-call.js';
import { unreachable } from '../../util/unreachable.js';

export type Wire = Record<string, unknown>;

const wireStatus = {
  pending: 'PENDING',
  waiting: 'PENDING',
  executing: 'EXECUTING',
  succeeded: 'SUCCEEDED',
  failed: 'FAILED',
  cancelled: 'CANCELLED',
} as const satisfies Record<ToolCall['status'], string>;

/** The RFC's `ToolCall`, whole on every update (RFC 3.2): the details of a question stand beside its options. */
export function toRfcToolCall(call: ToolCall): Wire {
  return toWire(call, (details) => details);
}

/** The same as the endpoint's guide (seed 001) has it: the details stand in an object of their own. */
export function toGuideToolCall(call: ToolCall): Wire {
  return toWire(call, (details) => ({ details }));
}

function toWire(call: ToolCall, place: (details: Wire) => Wire): Wire {
  return {
    tool_call_id: call.id,
    status: wireStatus[call.status],
    tool_name: call.name,
    ...(call.description === undefined ? {} : { description: call.description }),
    input_parameters: call.args,
    ...resultOf(call, place),
  };
}

/** What the RFC's `ToolCall` has no field for; it travels in the metadata beside it. */
export function toolCallMetadata(call: ToolCall): Wire {
  const { correlationId, parentId, resolution } = call;
  return {
    ...(correlationId === undefined ? {} : { correlationId }),
    ...(parentId === undefined ? {} : { parentCallId: parentId }),
    ...(resolution === undefined
      ? {}
      : { resolvedBy: resolution.by, selected_option_id: resolution.optionId, resolvedAt: resolution.at }),
    ...(call.status === 'cancelled' && call.reason !== undefined ? { reason: call.reason } : {}),
  };
}

function resultOf(call: ToolCall, place: (details: Wire) => Wire): Wire {
  switch (call.status) {
    case 'waiting':
      return {
        confirmation_request: { options: call.approval.options, ...place(toWireDetails(call.approval.details)) },
      };
    case 'executing':
      return call.liveOutput === undefined ? {} : { live_content: call.liveOutput };
    case 'succeeded':
      return { output: toWireOutput(call.output) };
    case 'failed':
      return { error: toWireError(call.error) };
    case 'pending':
    case 'cancelled':
      return {};
    default:
      return unreachable(call);
  }
}

function toWireError({ message, type, statusCode }: ToolError): Wire {
  return {
    message,
    ...(type === undefined ? {} : { type }),
    ...(statusCode === undefined ? {} : { status_code: statusCode }),
  };
}

function toWireOutput(output: ToolOutput): Wire {
  switch (output.kind) {
    case 'text':
      return { text: output.text };
    case 'diff':
      return { diff: toWireDiff(output.diff) };
    case 'data':
      return { structured_data: output.data };
    default:
      return unreachable(output);
  }
}

function toWireDetails(details: ApprovalDetails): Wire {
  switch (details.kind) {
    case 'execute':
      return { execute_details: { command: details.command, ...workingDirectory(details.workingDirectory) } };
    case 'edit':
      return { file_edit_details: toWireDiff(details.diff) };
    case 'mcp':
      return { mcp_details: { server_name: details.serverName, tool_name: details.toolName } };
    case 'generic':
      return { generic_details: { description: details.description } };
    case 'questions':
      return { generic_details: { description: details.description, questions: details.questions } };
    case 'plan':
      return { generic_details: { description: details.description, plan_path: details.planPath } };
    default:
      return unreachable(details);
  }
}

function workingDirectory(path: string | undefined): Wire {
  return path === undefined ? {} : { working_directory: path };
}

function toWireDiff(diff: FileDiff): Wire {
  return {
    file_name: diff.fileName,
    file_path: diff.filePath,
    ...(diff.oldContent === undefined ? {} : { old_content: diff.oldContent }),
    new_content: diff.newContent,
    ...(diff.formatted === undefined ? {} : { formatted_diff: diff.formatted }),
  };
}

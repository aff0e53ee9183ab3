import type {
  ApprovalDetails,
  FileDiff,
  ToolCall,
  ToolError,
  ToolOutput,
  WaitingCall,
} from '../../domain/tool-call.js';
import { unreachable } from '../../util/unreachable.js';
import type { Inferred } from '../shared/inferred.js';
import type * as wire from './tool-call-schemas.js';
import { defined } from '../../util/defined.js';

type WithoutMetadata<Call> = Call extends unknown ? Omit<Call, 'metadata'> : never;

/** The whole call in the form of the endpoint's guide (seed 001), limited to the fields of the guide. */
export function toToolCall(call: ToolCall): WithoutMetadata<Inferred<typeof wire.toolCall>> {
  const { id: tool_call_id } = call;
  const about = toAbout(call);
  switch (call.status) {
    case 'pending':
      return { tool_call_id, status: 'PENDING', ...about };
    case 'waiting':
      return toWaitingCall(call);
    case 'executing': {
      const live = defined({ live_content: call.liveOutput });
      return { tool_call_id, status: 'EXECUTING', ...about, ...live };
    }
    case 'succeeded':
      return { tool_call_id, status: 'SUCCEEDED', ...about, output: toOutput(call.output) };
    case 'failed':
      return { tool_call_id, status: 'FAILED', ...about, error: toError(call.error) };
    case 'cancelled':
      return { tool_call_id, status: 'CANCELLED', ...about };
    default:
      return unreachable(call);
  }
}

export function toWaitingCall(call: WaitingCall): Omit<Inferred<typeof wire.openQuestion>, 'metadata'> {
  const { options, details } = call.approval;
  const confirmation_request = { options, details: toDetails(details) };
  return { tool_call_id: call.id, status: 'PENDING', ...toAbout(call), confirmation_request };
}

/** What the guide's tool call has no field for. */
export function toMetadata(call: ToolCall): Inferred<typeof wire.toolCallMetadata> {
  const { correlationId, parentId, resolution } = call;
  return {
    ...defined({ correlationId, parentCallId: parentId }),
    ...(resolution === undefined
      ? {}
      : { resolvedBy: resolution.by, selected_option_id: resolution.optionId, resolvedAt: resolution.at }),
    ...(call.status === 'cancelled' && call.reason !== undefined ? { reason: call.reason } : {}),
  };
}

function toAbout({ name, description, args }: ToolCall) {
  return { tool_name: name, ...defined({ description }), input_parameters: args };
}

function toError({ message, type, statusCode }: ToolError): Inferred<typeof wire.toolError> {
  return {
    message,
    ...defined({ type, status_code: statusCode }),
  };
}

function toOutput(output: ToolOutput): Inferred<typeof wire.toolOutput> {
  switch (output.kind) {
    case 'text':
      return { text: output.text };
    case 'diff':
      return { diff: toDiff(output.diff) };
    case 'data':
      return { structured_data: output.data };
    default:
      return unreachable(output);
  }
}

function toDetails(details: ApprovalDetails): Inferred<typeof wire.confirmationDetails> {
  switch (details.kind) {
    case 'execute': {
      const { command, workingDirectory } = details;
      const place = defined({ working_directory: workingDirectory });
      return { execute_details: { command, ...place } };
    }
    case 'edit':
      return {
        file_edit_details: { ...toDiff(details.diff), ...(details.isReadOnly ? { read_only: true as const } : {}) },
      };
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

function toDiff(diff: FileDiff): Inferred<typeof wire.fileDiff> {
  return {
    file_name: diff.fileName,
    file_path: diff.filePath,
    ...defined({ old_content: diff.oldContent }),
    new_content: diff.newContent,
    ...defined({ formatted_diff: diff.formatted }),
  };
}

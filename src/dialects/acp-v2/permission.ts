import { isAbsolute } from 'node:path';
import type { RequestPermissionRequest, RequestPermissionSubject } from '@agentclientprotocol/sdk/experimental/v2';
import type { WaitingCall } from '../../domain/tool-call.js';
import { titleOf } from '../acp/call-facts.js';
import type { AskedQuestion } from '../acp/dialect.js';
import { meta } from '../acp/meta.js';
import { toPermissionOptions } from '../acp/options.js';
import { toToolCallV2 } from './tool-call.js';

/** The question as every attached client gets it. */
export function toPermissionRequestV2(
  sessionId: string,
  call: WaitingCall,
  question?: AskedQuestion,
): RequestPermissionRequest {
  const { correlationId, approval } = call;
  return {
    sessionId,
    title: question?.title ?? (approval.details.kind === 'plan' ? 'Approve this plan?' : `Allow ${titleOf(call)}?`),
    subject: subjectOf(call),
    options: question?.options ?? toPermissionOptions(approval.options),
    ...(correlationId === undefined ? {} : { _meta: meta({ correlationId }) }),
  };
}

/** ACP requires the folder of a command; without it, the subject is the tool call. */
function subjectOf(call: WaitingCall): RequestPermissionSubject {
  const { details } = call.approval;
  const cwd = details.kind === 'execute' ? details.workingDirectory : undefined;
  if (details.kind !== 'execute' || cwd === undefined || !isAbsolute(cwd))
    return { type: 'tool_call', toolCall: toToolCallV2(call) };
  return { type: 'command', command: details.command, cwd, toolCallId: call.id };
}

import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import * as z from 'zod';
import type { Answer, WaitingCall } from '../../domain/tool-call.js';
import { meta, readMeta } from './meta.js';
import { toPermissionOptions } from './options.js';
import { toAcpToolCall } from './tool-call.js';

/** The question as every attached client gets it. */
export function toPermissionRequest(sessionId: string, call: WaitingCall): RequestPermissionRequest {
  const { correlationId, approval } = call;
  return {
    sessionId,
    toolCall: toAcpToolCall(call),
    options: toPermissionOptions(approval.options),
    ...(correlationId === undefined ? {} : { _meta: meta({ correlationId }) }),
  };
}

/** ACP has no field for a changed file, for answers or for what to change in a plan; our own clients send them beside the outcome. */
const details = z.object({
  newContent: z.string().optional(),
  answers: z.record(z.string(), z.string()).optional(),
  feedback: z.string().optional(),
});

/** The client's choice; undefined when it made none, which is not a no. */
export function fromPermissionResponse({ outcome, _meta }: RequestPermissionResponse): Answer | undefined {
  if (outcome.outcome !== 'selected') return undefined;
  const { newContent, answers, feedback } = details.catch({}).parse(readMeta(_meta));
  return {
    optionId: outcome.optionId,
    ...(newContent === undefined ? {} : { newContent }),
    ...(answers === undefined ? {} : { answers }),
    ...(feedback === undefined ? {} : { feedback }),
  };
}

import type { RequestPermissionRequest } from '@agentclientprotocol/sdk';
import * as z from 'zod';
import type { Answer, WaitingCall } from '../../domain/tool-call.js';
import type { AskedQuestion } from '../acp/dialect.js';
import { meta, readMeta } from '../acp/meta.js';
import { toPermissionOptions } from '../acp/options.js';
import { toAcpToolCall } from './tool-call.js';
import { defined } from '../../util/defined.js';

/** The question as every attached client gets it. */
export function toPermissionRequest(
  sessionId: string,
  call: WaitingCall,
  question?: AskedQuestion,
): RequestPermissionRequest {
  const { correlationId, approval } = call;
  const toolCall = toAcpToolCall(call);
  return {
    sessionId,
    toolCall: question ? { ...toolCall, title: question.title } : toolCall,
    options: question?.options ?? toPermissionOptions(approval.options),
    ...(correlationId === undefined ? {} : { _meta: meta({ correlationId }) }),
  };
}

/** ACP has no fields for an edited file, answers or feedback on a plan; our own clients send them in `_meta`. */
const details = z.object({
  newContent: z.string().optional(),
  answers: z.record(z.string(), z.string()).optional(),
  feedback: z.string().optional(),
});

/** The answer of a client, in any version of ACP. */
export type PermissionResponse = {
  readonly outcome: { readonly outcome: string; readonly optionId?: unknown };
  readonly _meta?: Readonly<Record<string, unknown>> | null;
};

/** The client's choice; undefined if it made none, which does not count as a rejection. */
export function fromPermissionResponse({ outcome, _meta }: PermissionResponse): Answer | undefined {
  if (outcome.outcome !== 'selected' || typeof outcome.optionId !== 'string') return undefined;
  const { newContent, answers, feedback } = details.catch({}).parse(readMeta(_meta));
  return {
    optionId: outcome.optionId,
    ...defined({ newContent, answers, feedback }),
  };
}

import * as z from 'zod';

/** Schemas of the server protocol's events (seed 002), the source of /openapi.json and of the translator's types. */

const ids = { taskId: z.string(), contextId: z.string() };
const call = { toolCallId: z.string(), toolName: z.string() };
const parameters = z.record(z.string(), z.unknown());

export const coderAgentQuestion = z.object({
  title: z.string(),
  prompt: z.string(),
  type: z.enum(['info', 'warning', 'danger']),
});

export const coderAgentEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text-content'), text: z.string(), ...ids }),
  z.object({
    kind: z.literal('thought'),
    text: z.string(),
    subject: z.string(),
    description: z.string(),
    ...ids,
  }),
  z.object({
    kind: z.literal('tool-call-update'),
    ...call,
    status: z.enum(['PENDING', 'EXECUTING', 'SUCCEEDED', 'FAILED', 'CANCELLED']),
    inputParameters: parameters,
    result: z.string().optional(),
    error: z.string().optional(),
    ...ids,
  }),
  z.object({
    kind: z.literal('tool-call-confirmation'),
    ...call,
    inputParameters: parameters,
    confirmationRequest: coderAgentQuestion,
    ...ids,
  }),
  z.object({
    kind: z.literal('state-change'),
    state: z.enum(['submitted', 'working', 'input-required', 'completed', 'failed', 'canceled']),
    final: z.literal(true).optional().describe('the last event of this stream'),
    error: z.string().optional(),
    ...ids,
  }),
  z.object({
    kind: z.literal('agent-settings'),
    workspacePath: z.string(),
    autoExecute: z.boolean(),
    model: z.string(),
    ...ids,
  }),
  z.object({ kind: z.literal('citation'), text: z.string(), ...ids }),
]);

export type CoderAgentEvent = z.infer<typeof coderAgentEvent>;
export type CoderAgentQuestion = z.infer<typeof coderAgentQuestion>;

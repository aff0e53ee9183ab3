import * as z from 'zod';
import { coderAgentQuestion } from '../coder-agent/event-schemas.js';

/** The events of `POST /tasks/{id}/execute` (seed 003), the source of /openapi.json and of the translator's types. */
export const executeEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text_content'), text: z.string() }),
  z.object({
    type: z.literal('tool_call_update'),
    toolCallId: z.string(),
    status: z.enum(['requested', 'executing', 'completed', 'error']),
    toolName: z.string(),
    result: z.string().optional(),
    error: z.string().optional(),
    confirmationRequest: coderAgentQuestion.optional().describe('the call waits for an answer'),
  }),
  z.object({
    type: z.literal('state_change'),
    state: z.enum(['running', 'completed', 'error']),
    timestamp: z.string(),
    error: z.string().optional(),
  }),
  z.object({ type: z.literal('thought'), thought: z.string() }),
  z.object({ type: z.literal('thought_summary'), summary: z.string() }),
]);

export type ExecuteEvent = z.infer<typeof executeEvent>;

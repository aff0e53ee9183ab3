import * as z from 'zod';

export const origin = z.object({
  surface: z.enum(['tui', 'a2a', 'acp', 'web', 'cli', 'server']).describe('tui is the terminal itself'),
  client: z.string().exactOptional().describe('the name the client gave itself, or was given'),
  principal: z.string().exactOptional().describe('the principal, as the server established it from the credentials'),
});

export const fileDiff = z.object({
  file_name: z.string(),
  file_path: z.string(),
  old_content: z.string().exactOptional().describe('absent when the file is new'),
  new_content: z.string(),
  formatted_diff: z.string().exactOptional(),
});

export const confirmationDetails = z.union([
  z.object({ execute_details: z.object({ command: z.string(), working_directory: z.string().exactOptional() }) }),
  z.object({
    file_edit_details: fileDiff.extend({
      read_only: z.literal(true).exactOptional().describe('the agent cannot write another version of the file'),
    }),
  }),
  z.object({ mcp_details: z.object({ server_name: z.string(), tool_name: z.string() }) }),
  z.object({
    generic_details: z.object({
      description: z.string(),
      questions: z.array(z.unknown()).exactOptional().describe('questions of the agent; answer with `answers`'),
      plan_path: z
        .string()
        .exactOptional()
        .describe(
          'the file of a plan to accept, whose text is in the description; answer with `feedback` to ask for changes',
        ),
    }),
  }),
]);

export const option = z.object({ id: z.string(), name: z.string(), description: z.string().exactOptional() });

export const confirmationRequest = z.object({ options: z.array(option), details: confirmationDetails });

export const toolOutput = z.union([
  z.object({ text: z.string() }),
  z.object({ diff: fileDiff }),
  z.object({ structured_data: z.record(z.string(), z.unknown()) }),
]);

export const toolError = z.object({
  message: z.string(),
  type: z.string().exactOptional(),
  status_code: z.int().exactOptional(),
});

export const toolCallMetadata = z.object({
  correlationId: z.string().exactOptional().describe('the id of the question; a new question has a new one'),
  parentCallId: z.string().exactOptional().describe('the call that started this one'),
  resolvedBy: origin.exactOptional().describe('who answered'),
  selected_option_id: z.string().exactOptional().describe('the chosen option'),
  resolvedAt: z.string().exactOptional(),
  reason: z.string().exactOptional().describe('why it was cancelled'),
});

/** The fields of a call with this status: the common ones and its own. */
const call = <S extends string, Own extends z.core.$ZodLooseShape>(status: S, own: Own) => ({
  tool_call_id: z.string().describe('the same from the first update to the last'),
  status: z.literal(status),
  tool_name: z.string(),
  description: z.string().exactOptional(),
  input_parameters: z.record(z.string(), z.unknown()),
  ...own,
  metadata: toolCallMetadata,
});

/** A tool call by status, with the additional fields `more`. */
export const toolCallWith = <More extends z.core.$ZodLooseShape>(more: More) =>
  z.discriminatedUnion('status', [
    z.object({
      ...more,
      ...call('PENDING', {
        confirmation_request: confirmationRequest
          .exactOptional()
          .describe('the call waits for an answer: one of `options`'),
      }),
    }),
    z.object({
      ...more,
      ...call('EXECUTING', {
        live_content: z.string().exactOptional().describe('output so far, whole on every update'),
      }),
    }),
    z.object({ ...more, ...call('SUCCEEDED', { output: toolOutput }) }),
    z.object({ ...more, ...call('FAILED', { error: toolError }) }),
    z.object({ ...more, ...call('CANCELLED', {}) }),
  ]);

export const toolCall = toolCallWith({});

/** A call that waits for an answer. */
export const openQuestion = z.object(call('PENDING', { confirmation_request: confirmationRequest }));

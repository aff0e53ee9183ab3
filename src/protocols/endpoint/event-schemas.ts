import * as z from 'zod';

/** The events of the endpoint dialect as schemas: /asyncapi.json is made from them, and tests hold every event against them. */

const origin = z.object({
  surface: z.enum(['tui', 'a2a', 'acp', 'web', 'cli', 'server']).describe('tui is the terminal itself'),
  client: z.string().optional().describe('the name the client gave itself, or was given'),
  principal: z.string().optional().describe('who it was, as the server knows it by a token'),
});

const fileDiff = z.object({
  file_name: z.string(),
  file_path: z.string(),
  old_content: z.string().optional().describe('absent when the file is new'),
  new_content: z.string(),
  formatted_diff: z.string().optional(),
});

const details = z.union([
  z.object({ execute_details: z.object({ command: z.string(), working_directory: z.string().optional() }) }),
  z.object({ file_edit_details: fileDiff }),
  z.object({ mcp_details: z.object({ server_name: z.string(), tool_name: z.string() }) }),
  z.object({
    generic_details: z.object({
      description: z.string(),
      questions: z.array(z.unknown()).optional().describe('questions of the agent; answer with `answers`'),
      plan_path: z.string().optional().describe('a plan to accept; answer with `feedback` to ask for changes'),
    }),
  }),
]);

const toolCallFields = {
  tool_call_id: z.string().describe('the same from the first update to the last'),
  status: z.enum(['PENDING', 'EXECUTING', 'SUCCEEDED', 'FAILED', 'CANCELLED']),
  tool_name: z.string(),
  description: z.string().optional(),
  input_parameters: z.record(z.string(), z.unknown()),
  live_content: z.string().optional().describe('output so far, whole on every update'),
  output: z
    .union([
      z.object({ text: z.string() }),
      z.object({ diff: fileDiff }),
      z.object({ structured_data: z.record(z.string(), z.unknown()) }),
    ])
    .optional(),
  error: z.object({ message: z.string(), type: z.string().optional(), status_code: z.int().optional() }).optional(),
  confirmation_request: z
    .object({
      options: z.array(z.object({ id: z.string(), name: z.string(), description: z.string().optional() })),
      details,
    })
    .optional()
    .describe('it waits for an answer: one of `options`'),
  metadata: z.object({
    correlationId: z.string().optional().describe('the id of the question; a new question has a new one'),
    parentCallId: z.string().optional().describe('the call that started this one'),
    resolvedBy: origin.optional().describe('who answered'),
    selected_option_id: z.string().optional().describe('and how'),
    resolvedAt: z.string().optional(),
    reason: z.string().optional(),
  }),
};

const state = z.enum(['submitted', 'working', 'input-required', 'completed', 'failed', 'canceled', 'rejected']);
const text = z.object({ text: z.string() });

/** On every numbered event. */
const stamp = {
  taskId: z.string().describe('the id of the session'),
  seq: z.int().positive().describe('1, 2, 3 … without gaps; the cursor to resume from'),
  turnId: z.string().optional().describe('the turn it belongs to; absent for what happens between turns'),
};

const event = <K extends string, S extends z.core.$ZodLooseShape>(kind: K, meaning: string, shape: S) =>
  z.object({ kind: z.literal(kind), ...shape, ...stamp }).describe(meaning);

/** Events with a number, by kind. */
export const eventSchemas = {
  USER_MESSAGE: event('USER_MESSAGE', 'somebody prompted: the terminal or a client', {
    content: text,
    origin,
    messageId: z.string().optional().describe('the id the client gave'),
    queued: z
      .int()
      .positive()
      .optional()
      .describe('its place while it waits; sent again without it when its turn starts'),
  }),
  STATE_CHANGE: event('STATE_CHANGE', 'a turn began, waits for an answer, or ended', {
    state,
    final: z.literal(true).optional().describe('the turn has ended'),
    error: z.string().optional().describe('why it failed'),
  }),
  TEXT_CONTENT: event('TEXT_CONTENT', 'the next piece of the reply', { content: text }),
  THOUGHT: event('THOUGHT', 'what the model thinks before it replies', {
    content: z.object({ subject: z.string(), description: z.string() }),
  }),
  TOOL_CALL_UPDATE: event('TOOL_CALL_UPDATE', 'a tool call changed; the whole call is sent each time', toolCallFields),
  CITATION: event('CITATION', 'sources of the reply', { content: text }),
  USAGE: event('USAGE', 'tokens of one call of the model', {
    usage: z.object({
      inputTokens: z.number().optional(),
      outputTokens: z.number().optional(),
      cachedTokens: z.number().optional(),
      thoughtTokens: z.number().optional(),
      totalTokens: z.number().optional(),
    }),
  }),
  SETTINGS: event('SETTINGS', 'the model or the approval mode changed', {
    model: z.string(),
    approvalMode: z.string().optional(),
    userTier: z.string().optional(),
  }),
  CONSOLE_LOG: event('CONSOLE_LOG', 'a line for the log: a retry, a warning, what the terminal printed', {
    level: z.enum(['debug', 'info', 'warn', 'error']),
    content: text,
  }),
  ERROR: event('ERROR', 'something failed; a turn that failed says so itself, in STATE_CHANGE', {
    message: z.string(),
  }),
  ARTIFACT: event('ARTIFACT', 'something the turn made, such as the result of a command', {
    artifact: z.object({ id: z.string(), name: z.string(), parts: z.array(z.record(z.string(), z.unknown())) }),
    append: z.boolean().describe('it is the next chunk of what came before'),
    lastChunk: z.boolean(),
  }),
} as const;

/** What a client is sent that is not part of the numbered story. */
export const noticeSchemas = {
  SNAPSHOT: z
    .object({
      kind: z.literal('SNAPSHOT'),
      state,
      pending: z.array(z.object(toolCallFields)).describe('open questions, each as in TOOL_CALL_UPDATE'),
      model: z.string(),
      seq: z.int().nonnegative().describe('the newest event so far'),
      taskId: z.string(),
    })
    .describe('sent first to who joins: all that is needed to take part'),
  RESYNC_REQUIRED: z
    .object({
      kind: z.literal('RESYNC_REQUIRED'),
      oldest: z.int().describe('the oldest event that is kept'),
      taskId: z.string(),
    })
    .describe('the cursor is older than what is kept: a snapshot follows instead of the missed events'),
  ERROR_REPLY: z
    .object({
      kind: z.literal('ERROR'),
      code: z.int(),
      message: z.string(),
      data: z.record(z.string(), z.unknown()),
      taskId: z.string().optional(),
    })
    .describe(
      'to one client alone: a request without an id failed, or, without a taskId, the client named no task and is cut off',
    ),
} as const;

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
  tool_call_id: z.string(),
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
    .optional(),
  metadata: z.object({
    correlationId: z.string().optional(),
    parentCallId: z.string().optional(),
    resolvedBy: origin.optional(),
    selected_option_id: z.string().optional(),
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
  turnId: z.string().optional(),
};

const event = <K extends string, S extends z.core.$ZodLooseShape>(kind: K, shape: S) =>
  z.object({ kind: z.literal(kind), ...shape, ...stamp });

/** Events with a number, by kind. */
export const eventSchemas = {
  USER_MESSAGE: event('USER_MESSAGE', {
    content: text,
    origin,
    messageId: z.string().optional(),
    queued: z
      .int()
      .positive()
      .optional()
      .describe('its place while it waits; sent again without it when its turn starts'),
  }),
  STATE_CHANGE: event('STATE_CHANGE', { state, final: z.literal(true).optional(), error: z.string().optional() }),
  TEXT_CONTENT: event('TEXT_CONTENT', { content: text }),
  THOUGHT: event('THOUGHT', { content: z.object({ subject: z.string(), description: z.string() }) }),
  TOOL_CALL_UPDATE: event('TOOL_CALL_UPDATE', toolCallFields),
  CITATION: event('CITATION', { content: text }),
  USAGE: event('USAGE', {
    usage: z.object({
      inputTokens: z.number().optional(),
      outputTokens: z.number().optional(),
      cachedTokens: z.number().optional(),
      thoughtTokens: z.number().optional(),
      totalTokens: z.number().optional(),
    }),
  }),
  SETTINGS: event('SETTINGS', {
    model: z.string(),
    approvalMode: z.string().optional(),
    userTier: z.string().optional(),
  }),
  CONSOLE_LOG: event('CONSOLE_LOG', { level: z.enum(['debug', 'info', 'warn', 'error']), content: text }),
  ERROR: event('ERROR', { message: z.string() }),
  ARTIFACT: event('ARTIFACT', {
    artifact: z.object({ id: z.string(), name: z.string(), parts: z.array(z.record(z.string(), z.unknown())) }),
    append: z.boolean(),
    lastChunk: z.boolean(),
  }),
} as const;

/** What a client is sent that is not part of the numbered story. */
export const noticeSchemas = {
  SNAPSHOT: z.object({
    kind: z.literal('SNAPSHOT'),
    state,
    pending: z.array(z.object(toolCallFields)),
    model: z.string(),
    seq: z.int().nonnegative(),
    taskId: z.string(),
  }),
  RESYNC_REQUIRED: z.object({ kind: z.literal('RESYNC_REQUIRED'), oldest: z.int(), taskId: z.string() }),
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

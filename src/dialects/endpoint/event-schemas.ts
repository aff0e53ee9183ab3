import * as z from 'zod';
import { openQuestion, origin, toolCallWith } from './tool-call-schemas.js';

/**
 * The events of the endpoint dialect. Everything else is derived from these schemas: the types of the translator and the
 * client (`events.ts`), the published declarations, /asyncapi.json and docs/websocket-api.md.
 */

const state = z.enum(['submitted', 'working', 'input-required', 'completed', 'failed', 'canceled', 'rejected']);
const text = z.object({ text: z.string() });

const artifactPart = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('data'), data: z.record(z.string(), z.unknown()) }),
  z.object({ kind: z.literal('file'), name: z.string(), mediaType: z.string(), base64: z.string() }),
  z.object({ kind: z.literal('link'), name: z.string(), mediaType: z.string(), url: z.string() }),
]);

const usage = {
  inputTokens: z.number().exactOptional(),
  outputTokens: z.number().exactOptional(),
  cachedTokens: z.number().exactOptional(),
  thoughtTokens: z.number().exactOptional(),
  totalTokens: z.number().exactOptional(),
};

const queued = z.object({
  turnId: z.string().describe('cancel this turn to take the prompt back'),
  text: z.string().describe('up to 1,000 characters'),
  origin,
  position: z.int().positive().describe('1: it is next'),
});

const client = z.object({
  name: z.string().describe('two clients of one name are `ada` and `ada 2`'),
  surface: origin.shape.surface,
  principal: origin.shape.principal,
  since: z.iso.datetime({ precision: 3 }).describe('when it joined, in UTC'),
});

/** Who takes part now. */
const clients = {
  clients: z.array(client).describe('up to 50 that take part now, the first to join first'),
  moreClients: z.int().positive().exactOptional().describe('how many more there are'),
};

/** On every numbered event. */
const stamp = {
  taskId: z.string().describe('the id of the session'),
  seq: z.int().positive().describe('1, 2, 3 … without gaps; the cursor to resume from'),
  at: z.iso.datetime({ precision: 3 }).describe('when it happened, in UTC'),
  turnId: z.string().exactOptional().describe('the turn it belongs to; absent for what happens between turns'),
};

const event = <K extends string, S extends z.core.$ZodLooseShape>(kind: K, meaning: string, shape: S) =>
  z.object({ kind: z.literal(kind), ...shape, ...stamp }).describe(meaning);

/** Numbered events, by kind. */
export const eventSchemas = {
  USER_MESSAGE: event('USER_MESSAGE', 'somebody prompted: the terminal or a client', {
    content: text,
    origin,
    messageId: z.string().exactOptional().describe('the id the client gave'),
    queued: z
      .int()
      .positive()
      .exactOptional()
      .describe('its place while it waits; sent again without it when its turn starts'),
  }),
  STATE_CHANGE: event('STATE_CHANGE', 'a turn began, waits for an answer, or ended', {
    state,
    final: z.literal(true).exactOptional().describe('the turn has ended'),
    error: z.string().exactOptional().describe('why it failed'),
  }),
  TEXT_CONTENT: event('TEXT_CONTENT', 'the next piece of the reply', { content: text }),
  THOUGHT: event('THOUGHT', 'what the model thinks before it replies', {
    content: z.object({ subject: z.string(), description: z.string() }),
  }),
  TOOL_CALL_UPDATE: toolCallWith({ kind: z.literal('TOOL_CALL_UPDATE'), ...stamp }).describe(
    'a tool call changed; the whole call is sent each time',
  ),
  CITATION: event('CITATION', 'sources of the reply', { content: text }),
  USAGE: event('USAGE', 'tokens of one call of the model', {
    usage: z.object(usage),
  }),
  SETTINGS: event('SETTINGS', 'the model or the approval mode changed', {
    model: z.string(),
    approvalMode: z.string().exactOptional(),
    userTier: z.string().exactOptional(),
  }),
  CONSOLE_LOG: event('CONSOLE_LOG', 'a line for the log: a retry, a warning, what the terminal printed', {
    level: z.enum(['debug', 'info', 'warn', 'error']),
    content: text,
  }),
  ERROR: event('ERROR', 'something failed; a turn that failed says so itself, in STATE_CHANGE', {
    message: z.string(),
  }),
  ARTIFACT: event('ARTIFACT', 'something the turn made, such as the result of a command', {
    artifact: z.object({ id: z.string(), name: z.string(), parts: z.array(artifactPart) }),
    append: z.boolean().describe('it is the next chunk of what came before'),
    lastChunk: z.boolean(),
  }),
} as const;

/** Messages to a client that have no number in the session. */
export const noticeSchemas = {
  SNAPSHOT: z
    .object({
      kind: z.literal('SNAPSHOT'),
      state,
      pending: z.array(openQuestion).describe('open questions, each as in TOOL_CALL_UPDATE'),
      model: z.string(),
      seq: z.int().nonnegative().describe('the newest event so far'),
      title: z.string().exactOptional().describe('the first prompt, up to 80 characters'),
      workspace: z.string().exactOptional().describe('the folder that the agent works in'),
      approvalMode: z.string().exactOptional(),
      queue: z.array(queued).describe('prompts that wait, the next one first'),
      usage: z
        .object({ calls: z.int().describe('calls of the model'), ...usage })
        .describe('tokens of all calls of the model so far'),
      ...clients,
      taskId: z.string(),
    })
    .describe('sent first to a client that joins: all it needs to take part'),
  CLIENTS: z.object({ kind: z.literal('CLIENTS'), ...clients, taskId: z.string() }).describe('somebody joined or left'),
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
      taskId: z.string().exactOptional(),
    })
    .describe(
      'to one client alone: a request without an id failed, or, without a taskId, the client named no task and is cut off',
    ),
} as const;

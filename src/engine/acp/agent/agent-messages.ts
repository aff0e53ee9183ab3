import * as z from 'zod';
import { configOptions, models, modes } from './agent-choices.js';
import { maybe } from './maybe.js';

/**
 * What agents send, parsed leniently because releases differ: an unexpected value counts as absent, and an update of an
 * unknown kind is dropped instead of failing.
 */
const text = z.string();
const meta = maybe(z.record(text, z.unknown()));

const contentBlock = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.literal('image'), data: text, mimeType: text }),
  z.object({ type: z.literal('audio'), data: text, mimeType: text }),
  z.object({ type: z.literal('resource_link'), name: text, uri: text, mimeType: maybe(text) }),
  z.object({
    type: z.literal('resource'),
    resource: z.object({ uri: text, mimeType: maybe(text), text: maybe(text) }),
  }),
]);

const toolContent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('content'), content: contentBlock }),
  z.object({ type: z.literal('diff'), path: text, oldText: maybe(text), newText: text }),
  /** A terminal of the client. No agent can have one here, because we do not offer any. */
  z.object({ type: z.literal('terminal') }),
]);

/** Drops content of unknown kinds and keeps the rest of the list. */
const toolContents = z
  .array(z.unknown())
  .transform((list) => list.flatMap((item) => toolContent.safeParse(item).data ?? []));

const toolCall = z.object({
  toolCallId: text,
  title: maybe(text),
  name: maybe(text),
  kind: maybe(text),
  status: maybe(z.enum(['pending', 'in_progress', 'completed', 'failed'])),
  content: maybe(toolContents),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
  _meta: meta,
});

const tokens = maybe(z.number());
const usage = maybe(
  z.object({
    inputTokens: tokens,
    outputTokens: tokens,
    totalTokens: tokens,
    thoughtTokens: tokens,
    cachedReadTokens: tokens,
  }),
);

/** Qwen sends the tokens of each request with an empty chunk. */
const chunk = { content: contentBlock, _meta: maybe(z.object({ usage })) };

const update = z.discriminatedUnion('sessionUpdate', [
  z.object({ sessionUpdate: z.literal('agent_message_chunk'), ...chunk }),
  z.object({ sessionUpdate: z.literal('agent_thought_chunk'), ...chunk }),
  toolCall.extend({ sessionUpdate: z.literal('tool_call') }),
  toolCall.extend({ sessionUpdate: z.literal('tool_call_update') }),
  z.object({ sessionUpdate: z.literal('plan'), entries: z.array(z.object({ content: text, status: maybe(text) })) }),
  z.object({
    sessionUpdate: z.literal('available_commands_update'),
    availableCommands: z.array(
      z.object({ name: text, description: text.catch(''), input: maybe(z.object({ hint: text })) }),
    ),
  }),
  z.object({ sessionUpdate: z.literal('current_mode_update'), currentModeId: text }),
  z.object({ sessionUpdate: z.literal('config_option_update'), configOptions }),
  z.object({ sessionUpdate: z.literal('usage_update'), used: z.number() }),
  z.object({ sessionUpdate: z.literal('notice'), severity: text, title: text, description: maybe(text) }),
]);

const notification = z.object({ update });

/** Returns undefined for unknown updates. */
export function readUpdate(params: unknown): AgentUpdate | undefined {
  const update = notification.safeParse(params).data?.update;
  if (update?.sessionUpdate !== 'agent_message_chunk' || update.content.type !== 'text') return update;
  // Gemini sends a change of mode as text.
  const mode = /^\[MODE_UPDATE\] (\w+)$/.exec(update.content.text)?.[1];
  return mode === undefined ? update : { sessionUpdate: 'current_mode_update', currentModeId: mode };
}

export const permissionRequest = z.object({
  toolCall,
  options: z.array(
    z.object({
      optionId: text,
      name: text,
      kind: z.enum(['allow_once', 'allow_always', 'reject_once', 'reject_always']),
    }),
  ),
});

export const initialized = z.object({
  protocolVersion: z.number(),
  agentInfo: maybe(z.object({ name: text, version: maybe(text) })),
  agentCapabilities: maybe(
    z.object({
      loadSession: maybe(z.boolean()),
      mcpCapabilities: maybe(z.object({ http: maybe(z.boolean()), sse: maybe(z.boolean()) })),
      sessionCapabilities: maybe(z.object({ resume: maybe(z.object({})) })),
    }),
  ),
  authMethods: maybe(z.array(z.object({ name: text }))),
});

/** The reply to `session/new`. The replies to `session/load` and `session/resume` are the same without an id. */
export const openedSession = z.object({
  sessionId: maybe(text),
  modes: maybe(modes),
  models: maybe(models),
  configOptions: maybe(configOptions),
});

export const optionSet = z.object({ configOptions: maybe(configOptions) });

export const promptResponse = z.object({
  stopReason: text,
  usage,
  /** Gemini puts it here. */
  _meta: maybe(
    z.object({
      quota: maybe(z.object({ token_count: z.object({ input_tokens: tokens, output_tokens: tokens }) })),
    }),
  ),
});

export type AgentUpdate = z.infer<typeof update>;
export type AgentToolCall = z.infer<typeof toolCall>;
export type AgentContent = z.infer<typeof contentBlock>;
export type PermissionRequest = z.infer<typeof permissionRequest>;
export type PermissionOption = PermissionRequest['options'][number];
export type OpenedSession = z.infer<typeof openedSession>;
export type AgentUsage = z.infer<typeof usage>;
export type PromptResponse = z.infer<typeof promptResponse>;

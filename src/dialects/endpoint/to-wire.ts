import * as z from 'zod';
import { cancelText, isTurnEnd, type SessionEvent } from '../../domain/events.js';
import { defined } from '../../util/defined.js';
import { unreachable } from '../../util/unreachable.js';
import type { Inferred } from '../shared/inferred.js';
import { toMetadata, toToolCall } from './tool-call.js';
import { origin, toolCallWith } from './tool-call-schemas.js';

/**
 * The events of the endpoint dialect. Everything else is derived from these schemas: the types of the translator below and of the
 * client (`events.ts`), the published declarations, /asyncapi.json and docs/websocket-api.md.
 */

export const state = z.enum(['submitted', 'working', 'input-required', 'completed', 'failed', 'canceled', 'rejected']);
const text = z.object({ text: z.string() });

const artifactPart = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('data'), data: z.record(z.string(), z.unknown()) }),
  z.object({ kind: z.literal('file'), name: z.string(), mediaType: z.string(), base64: z.string() }),
  z.object({ kind: z.literal('link'), name: z.string(), mediaType: z.string(), url: z.string() }),
]);

export const tokenCounts = {
  inputTokens: z.number().exactOptional(),
  outputTokens: z.number().exactOptional(),
  cachedTokens: z.number().exactOptional(),
  thoughtTokens: z.number().exactOptional(),
  totalTokens: z.number().exactOptional(),
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
  USER_MESSAGE: event('USER_MESSAGE', 'somebody sent a prompt, from the terminal or a client', {
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
  USAGE: event('USAGE', 'tokens used by one model call', {
    usage: z.object(tokenCounts),
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
  ERROR: event('ERROR', 'something failed; a failed turn is reported by STATE_CHANGE instead', {
    message: z.string(),
  }),
  ARTIFACT: event('ARTIFACT', 'something the turn made, such as the result of a command', {
    artifact: z.object({ id: z.string(), name: z.string(), parts: z.array(artifactPart) }),
    append: z.boolean().describe('it is the next chunk of what came before'),
    lastChunk: z.boolean(),
  }),
} as const;

/** A session event in the flat form of the endpoint's user guide (seed 001). Pure. */
export function toEndpoint(event: SessionEvent): Sent<Kind> {
  const stamp = { taskId: event.sessionId, seq: event.seq, at: event.at };
  const content: [Unmade] extends [never] ? Content<Kind> : Unmade = contentOf(event);
  // Assigned, not spread: this runs for every event, and V8 is slow at spreading into a larger object.
  return Object.assign(content, event.turnId === undefined ? stamp : { ...stamp, turnId: event.turnId });
}

/** Kinds that no session event produces. If there are any, `toEndpoint` does not compile and the error names them. */
type Unmade = Exclude<Kind, ReturnType<typeof contentOf>['kind']>;

type Kind = keyof typeof eventSchemas;
type Sent<K extends Kind> = Inferred<(typeof eventSchemas)[K]>;

/** An event before it is stamped. */
type Content<K extends Kind> = Unstamped<Sent<K>>;
type Unstamped<Event> = Event extends unknown ? Omit<Event, 'taskId' | 'seq' | 'at' | 'turnId'> : never;

function contentOf(event: SessionEvent) {
  switch (event.type) {
    case 'text':
    case 'reply':
      return { kind: 'TEXT_CONTENT', content: { text: event.text } } satisfies Content<'TEXT_CONTENT'>;
    case 'thought': {
      const { subject, description } = event;
      return { kind: 'THOUGHT', content: { subject, description } } satisfies Content<'THOUGHT'>;
    }
    case 'tool': {
      const [call, metadata] = [toToolCall(event.call), toMetadata(event.call)];
      return { kind: 'TOOL_CALL_UPDATE', ...call, metadata } satisfies Content<'TOOL_CALL_UPDATE'>;
    }
    case 'turn': {
      const { state, error } = event;
      const final = isTurnEnd(state) ? ({ final: true } as const) : {};
      return { kind: 'STATE_CHANGE', state, ...final, ...(error ? { error } : {}) } satisfies Content<'STATE_CHANGE'>;
    }
    case 'prompt': {
      const { text, origin, messageId, queued } = event;
      const ids = { ...defined({ messageId, queued }) };
      return { kind: 'USER_MESSAGE', content: { text }, origin, ...ids } satisfies Content<'USER_MESSAGE'>;
    }
    case 'citation':
      return { kind: 'CITATION', content: { text: event.text } } satisfies Content<'CITATION'>;
    case 'usage':
      return { kind: 'USAGE', usage: event.usage } satisfies Content<'USAGE'>;
    case 'settings': {
      const { model, approvalMode, userTier } = event;
      const mode = defined({ approvalMode });
      return {
        kind: 'SETTINGS',
        model,
        ...mode,
        ...defined({ userTier }),
      } satisfies Content<'SETTINGS'>;
    }
    case 'log':
      return {
        kind: 'CONSOLE_LOG',
        level: event.level,
        content: { text: event.text },
      } satisfies Content<'CONSOLE_LOG'>;
    case 'cancel':
      return {
        kind: 'CONSOLE_LOG',
        level: 'info',
        content: { text: cancelText(event.by) },
      } satisfies Content<'CONSOLE_LOG'>;
    case 'error':
      return { kind: 'ERROR', message: event.message } satisfies Content<'ERROR'>;
    case 'artifact':
      return {
        kind: 'ARTIFACT',
        artifact: event.artifact,
        append: event.append ?? false,
        lastChunk: event.lastChunk ?? true,
      } satisfies Content<'ARTIFACT'>;
    default:
      return unreachable(event);
  }
}

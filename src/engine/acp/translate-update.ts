import { createHash } from 'node:crypto';
import type { ArtifactPart, Usage } from '../../domain/events.js';
import { unreachable } from '../../util/unreachable.js';
import type { EngineEvent } from '../engine.js';
import type { AgentContent, AgentUpdate, AgentUsage, PromptResponse } from './agent/agent-messages.js';

type Said = Extract<AgentUpdate, { sessionUpdate: 'agent_message_chunk' | 'usage_update' | 'notice' }>;

/** Translates an agent's update into an event. Pure; thoughts, plans, tool calls, commands and settings depend on earlier updates. */
export function translateUpdate(update: Said): EngineEvent | undefined {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk': {
      const usage = toUsage(update._meta?.usage);
      return usage ? { type: 'usage', usage } : translateContent(update.content);
    }
    case 'usage_update':
      return { type: 'usage', usage: { totalTokens: update.used } };
    case 'notice': {
      const text = [update.title, update.description].filter(Boolean).join(': ');
      const level = update.severity === 'error' ? 'error' : update.severity === 'warning' ? 'warn' : 'info';
      return { type: 'log', level, text };
    }
    default:
      return unreachable(update);
  }
}

/** The tokens of a turn, if the agent sends them when the turn ends. */
export function usageOf({ usage, _meta: meta }: PromptResponse): Usage | undefined {
  const count = meta?.quota?.token_count;
  return toUsage(usage ?? (count && { inputTokens: count.input_tokens, outputTokens: count.output_tokens }));
}

function toUsage(reported: Partial<NonNullable<AgentUsage>> | null | undefined): Usage | undefined {
  const usage: Record<keyof Usage, number | null | undefined> = {
    inputTokens: reported?.inputTokens,
    outputTokens: reported?.outputTokens,
    cachedTokens: reported?.cachedReadTokens,
    thoughtTokens: reported?.thoughtTokens,
    totalTokens: reported?.totalTokens,
  };
  const known = Object.entries(usage).filter(([, tokens]) => typeof tokens === 'number');
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

function translateContent(content: AgentContent): EngineEvent | undefined {
  // Some agents begin a message with an empty chunk.
  if (content.type === 'text') return content.text === '' ? undefined : { type: 'text', text: content.text };
  const part = partOf(content);
  const name = 'name' in part ? part.name : content.type;
  // The protocol has no id for artifacts, so the same content gets the same id.
  const id = createHash('sha256').update(JSON.stringify(part)).digest('hex').slice(0, 16);
  return { type: 'artifact', artifact: { id, name, parts: [part] } };
}

function partOf(content: Exclude<AgentContent, { type: 'text' }>): ArtifactPart {
  switch (content.type) {
    case 'image':
    case 'audio':
      return { kind: 'file', name: content.type, mediaType: content.mimeType, base64: content.data };
    case 'resource_link':
      return { kind: 'link', name: content.name, mediaType: mediaType(content.mimeType), url: content.uri };
    case 'resource': {
      const { uri, mimeType, text } = content.resource;
      return text == null
        ? { kind: 'link', name: uri, mediaType: mediaType(mimeType), url: uri }
        : { kind: 'text', text };
    }
    default:
      return unreachable(content);
  }
}

function mediaType(given: string | null | undefined): string {
  return given ?? 'application/octet-stream';
}

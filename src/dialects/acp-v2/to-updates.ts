import type { SessionUpdate } from '@agentclientprotocol/sdk/experimental/v2';
import type { SessionEvent } from '../../domain/events.js';
import { notSent } from '../shared/not-sent.js';
import { partBlock, severities, textBlock, thoughtBlock } from '../acp/content.js';
import type { View } from '../acp/dialect.js';
import { meta, originMeta } from '../acp/meta.js';
import { usageUpdates } from '../acp/usage.js';
import { toConfigOptionsV2 } from './settings.js';
import { toStateUpdate } from './state.js';
import { toolUpdates } from './tool-call.js';

/** One session event as updates of ACP v2, for one client. */
export function toUpdatesV2(event: SessionEvent, view: View): SessionUpdate[] {
  const { scene } = view;
  const say = (content: ReturnType<typeof partBlock>): SessionUpdate => ({
    sessionUpdate: 'agent_message_chunk',
    messageId: String(scene.passage),
    content,
  });
  switch (event.type) {
    case 'prompt': {
      const { text, origin, seq, queued } = event;
      // A queued prompt is sent when its turn starts, at its place in the conversation.
      if (queued !== undefined) return [];
      const messageId = messageIdOf(seq);
      return [{ sessionUpdate: 'user_message', messageId, content: [textBlock(text)], _meta: originMeta(origin) }];
    }
    case 'turn':
      // A turn that was cancelled before it started changes nothing.
      return scene.passage === event.seq ? [toStateUpdate(scene)] : [];
    case 'text':
    case 'reply':
    case 'citation':
      return [say(textBlock(event.text))];
    case 'thought': {
      const { subject, description, seq } = event;
      const content = [thoughtBlock(subject, description)];
      const messageId = messageIdOf(seq);
      return [{ sessionUpdate: 'agent_thought', messageId, content, _meta: meta({ subject, description }) }];
    }
    case 'tool':
      return toolUpdates(event.call, view);
    case 'usage':
      return usageUpdates(event.usage, view.model);
    case 'settings':
      return [{ sessionUpdate: 'config_option_update', configOptions: toConfigOptionsV2(event, view.choices) }];
    case 'log':
      return event.level === 'debug'
        ? []
        : [{ sessionUpdate: 'notice', severity: severities[event.level], title: event.text }];
    case 'error':
      return [{ sessionUpdate: 'notice', severity: 'error', title: event.message }];
    case 'artifact':
      return event.artifact.parts.map((part) => say(partBlock(part)));
    default:
      return notSent('acp-v2', event);
  }
}

/** The id of a message that is one whole event; it stays the same in every replay. */
export function messageIdOf(seq: number): string {
  return String(seq);
}

import { type Artifact as WireArtifact, type Message, type Part, Role } from '@a2a-js/sdk';
import type { Artifact, ArtifactPart } from '../../domain/events.js';
import { unreachable } from '../../util/unreachable.js';

const empty = { metadata: undefined, filename: '' };

export function textPart(value: string): Part {
  return { ...empty, content: { $case: 'text', value }, mediaType: 'text/plain' };
}

function dataPart(value: Record<string, unknown>): Part {
  return { ...empty, content: { $case: 'data', value }, mediaType: 'application/json' };
}

export function toWirePart(part: ArtifactPart): Part {
  switch (part.kind) {
    case 'text':
      return textPart(part.text);
    case 'data':
      return dataPart(part.data);
    case 'file': {
      const value = Buffer.from(part.base64, 'base64');
      return { content: { $case: 'raw', value }, metadata: undefined, filename: part.name, mediaType: part.mediaType };
    }
    case 'link':
      return {
        content: { $case: 'url', value: part.url },
        metadata: undefined,
        filename: part.name,
        mediaType: part.mediaType,
      };
    default:
      return unreachable(part);
  }
}

export function toWireArtifact({ id, name, parts }: Artifact): WireArtifact {
  return { artifactId: id, name, description: '', parts: parts.map(toWirePart), metadata: undefined, extensions: [] };
}

export type MessageIds = { readonly taskId: string; readonly contextId: string; readonly messageId: string };

export function agentMessage({ taskId, contextId, messageId }: MessageIds, parts: Part[]): Message {
  return {
    messageId,
    taskId,
    contextId,
    role: Role.ROLE_AGENT,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

export function userMessage(ids: MessageIds, text: string): Message {
  return { ...agentMessage(ids, [textPart(text)]), role: Role.ROLE_USER };
}

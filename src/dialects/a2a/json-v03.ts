import type { Artifact, ArtifactPart } from '../../domain/events.js';
import { unreachable } from '../../util/unreachable.js';
import type { Wire } from '../shared/wire.js';
import { orNothing } from './json.js';
import type { Update } from './updates.js';

/** An update as v0.3 JSON on JSON-RPC: exactly the text that the SDK writes, except for `final`. Pure. */
export function toJsonV03(update: Update, isFinal: boolean): string {
  const { taskId, contextId } = update;
  if (update.type === 'artifact') {
    const { artifact, append, lastChunk } = update;
    const kind = 'artifact-update';
    return JSON.stringify({ kind, taskId, contextId, artifact: toArtifact(artifact), append, lastChunk });
  }
  const { state, at, message, metadata } = update;
  const said = message && {
    kind: 'message',
    messageId: message.id,
    role: 'agent',
    parts: message.parts.map(toPart),
    contextId,
    taskId,
  };
  return JSON.stringify({
    kind: 'status-update',
    taskId,
    contextId,
    status: { state, message: said, timestamp: at },
    final: isFinal,
    metadata,
  });
}

function toArtifact({ id, name, parts }: Artifact): Wire {
  return { artifactId: id, parts: parts.map(toPart), name: orNothing(name) };
}

function toPart(part: ArtifactPart): Wire {
  switch (part.kind) {
    case 'text':
      return part;
    case 'data':
      return part;
    case 'file':
      return { kind: 'file', file: { bytes: part.base64, ...toFile(part) } };
    case 'link':
      return { kind: 'file', file: { uri: part.url, ...toFile(part) } };
    default:
      return unreachable(part);
  }
}

function toFile({ name, mediaType }: { readonly name: string; readonly mediaType: string }): Wire {
  return { mimeType: orNothing(mediaType), name: orNothing(name) };
}

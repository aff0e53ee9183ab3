import type { Artifact, ArtifactPart, TurnState } from '../../domain/events.js';
import { unreachable } from '../../util/unreachable.js';
import type { Wire } from '../shared/wire.js';
import { listOrNothing, orNothing, stateNames } from './json.js';
import type { Update } from './updates.js';

/**
 * An update as v0.3 JSON on HTTP+JSON. Unlike on JSON-RPC, this is the JSON form of the protocol buffers: exactly the text
 * that the SDK writes, except for `final`. Pure.
 */
export function toRestJsonV03(update: Update, isFinal: boolean): string {
  const { taskId, contextId } = update;
  if (update.type === 'artifact') {
    const { artifact, append, lastChunk } = update;
    return JSON.stringify({
      artifactUpdate: {
        taskId,
        contextId,
        artifact: toArtifact(artifact),
        append: append || undefined,
        lastChunk: lastChunk || undefined,
      },
    });
  }
  const { state, at, message, metadata } = update;
  const said = message && {
    messageId: message.id,
    contextId,
    taskId,
    role: 'ROLE_AGENT',
    content: listOrNothing(message.parts.map(toPart)),
  };
  return JSON.stringify({
    statusUpdate: {
      taskId,
      contextId,
      status: { state: nameOf(state), message: said, timestamp: at },
      final: isFinal || undefined,
      metadata,
    },
  });
}

/** `canceled` is the only name that changed between the versions. */
function nameOf(state: TurnState): string {
  return state === 'canceled' ? 'TASK_STATE_CANCELLED' : stateNames[state];
}

function toArtifact({ id, name, parts }: Artifact): Wire {
  return { artifactId: orNothing(id), name: orNothing(name), parts: listOrNothing(parts.map(toPart)) };
}

function toPart(part: ArtifactPart): Wire {
  switch (part.kind) {
    case 'text':
      return { text: part.text };
    case 'data':
      return { data: { data: part.data } };
    case 'file':
      return { file: { fileWithBytes: part.base64, mimeType: orNothing(part.mediaType) } };
    case 'link':
      return { file: { fileWithUri: part.url, mimeType: orNothing(part.mediaType) } };
    default:
      return unreachable(part);
  }
}

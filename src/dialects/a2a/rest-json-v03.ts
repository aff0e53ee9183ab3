import type { Artifact, ArtifactPart, TurnState } from '../../domain/events.js';
import { unreachable } from '../../util/unreachable.js';
import type { Wire } from '../development-tool/tool-call.js';
import { listOrNothing, orNothing, stateNames } from './json.js';
import type { Update } from './updates.js';

/**
 * An update as JSON of v0.3 on HTTP+JSON, which is not that of JSON-RPC but the one of its protocol buffers: the very text
 * the SDK makes of it, except for `final`. Pure.
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

/** The only name that has changed between the versions. */
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

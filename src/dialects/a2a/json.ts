import type { Artifact, ArtifactPart, TurnState } from '../../domain/events.js';
import { unreachable } from '../../util/unreachable.js';
import type { Wire } from '../shared/wire.js';
import type { Update } from './updates.js';

/** An update as v1.0 JSON, on JSON-RPC and HTTP+JSON: exactly the text that the SDK writes. Pure. */
export function toJson(update: Update): string {
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
    parts: listOrNothing(message.parts.map(toPart)),
  };
  return JSON.stringify({
    statusUpdate: { taskId, contextId, status: { state: stateNames[state], message: said, timestamp: at }, metadata },
  });
}

export const stateNames = {
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  canceled: 'TASK_STATE_CANCELED',
  rejected: 'TASK_STATE_REJECTED',
} as const satisfies Record<TurnState, string>;

function toArtifact({ id, name, parts }: Artifact): Wire {
  return { artifactId: orNothing(id), name: orNothing(name), parts: listOrNothing(parts.map(toPart)) };
}

function toPart(part: ArtifactPart): Wire {
  switch (part.kind) {
    case 'text':
      return { text: part.text, mediaType: 'text/plain' };
    case 'data':
      return { data: part.data, mediaType: 'application/json' };
    case 'file':
      return { raw: part.base64, filename: orNothing(part.name), mediaType: orNothing(part.mediaType) };
    case 'link':
      return { url: part.url, filename: orNothing(part.name), mediaType: orNothing(part.mediaType) };
    default:
      return unreachable(part);
  }
}

/** Protocol buffers omit empty fields, in JSON too. */
export function orNothing(text: string): string | undefined {
  return text === '' ? undefined : text;
}

export function listOrNothing<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

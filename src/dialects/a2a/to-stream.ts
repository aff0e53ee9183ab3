import type { StreamResponse } from '@a2a-js/sdk';
import type { SessionEvent } from '../../domain/events.js';
import { agentMessage, toWireArtifact, toWirePart } from './parts.js';
import { toTaskState } from './states.js';
import { type Past, toUpdates, type Update, type UpdateOptions } from './updates.js';

/** The A2A events (v1.0 objects of the SDK) for one session event. Pure. */
export function toStream(event: SessionEvent, options: UpdateOptions, past: Past): StreamResponse[] {
  return toUpdates(event, options, past).map(toStreamResponse);
}

export function toStreamResponse(update: Update): StreamResponse {
  const { taskId, contextId } = update;
  if (update.type === 'artifact') {
    const { append, lastChunk } = update;
    const artifact = toWireArtifact(update.artifact);
    const value = { taskId, contextId, artifact, append, lastChunk, metadata: undefined };
    return { payload: { $case: 'artifactUpdate', value } };
  }
  const { state, at, message, metadata } = update;
  const said = message && agentMessage({ taskId, contextId, messageId: message.id }, message.parts.map(toWirePart));
  const status = { state: toTaskState(state), message: said, timestamp: at };
  return { payload: { $case: 'statusUpdate', value: { taskId, contextId, status, metadata } } };
}

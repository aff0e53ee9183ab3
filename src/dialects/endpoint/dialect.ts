import type { SessionEvent } from '../../domain/events.js';
import { type Dialect, plainDialect } from '../dialect.js';
import { toEndpoint } from './to-wire.js';

/** Flat events (seed 001). Questions keep the stream open. */
export function endpointDialect(): Dialect {
  return plainDialect(endpointJson);
}

/**
 * What `JSON.stringify(toEndpoint(event))` gives. Text is most of what a session sends, one short piece after another, and
 * takes a third of the time when it is put together here. `endpoint.property.test.ts` compares the two.
 */
export function endpointJson(event: SessionEvent): string {
  if (event.type !== 'text') return JSON.stringify(toEndpoint(event));
  const { sessionId, seq, at, turnId, text } = event;
  const turn = turnId === undefined ? '' : `,"turnId":${JSON.stringify(turnId)}`;
  return `{"kind":"TEXT_CONTENT","content":{"text":${JSON.stringify(text)}},"taskId":${JSON.stringify(sessionId)},"seq":${seq},"at":${JSON.stringify(at)}${turn}}`;
}

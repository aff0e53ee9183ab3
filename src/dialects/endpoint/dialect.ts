import type { SessionEvent } from '../../domain/events.js';
import { type Dialect, plainDialect } from '../dialect.js';
import { toEndpoint } from './to-wire.js';

/** Flat events (seed 001). Questions keep the stream open. */
export function endpointDialect(): Dialect {
  return plainDialect(endpointJson());
}

/**
 * The same as `JSON.stringify(toEndpoint(event))`. Most of what a session sends is short pieces of text, so for those
 * only the parts that change are serialised. `endpoint.property.test.ts` compares the two.
 */
export function endpointJson(): (event: SessionEvent) => string {
  const task = remembered((id) => `},"taskId":${JSON.stringify(id)},"seq":`);
  const time = remembered((at) => `,"at":${JSON.stringify(at)}`);
  const turn = remembered((id) => (id === undefined ? '}' : `,"turnId":${JSON.stringify(id)}}`));
  return (event) => {
    if (event.type !== 'text') return JSON.stringify(toEndpoint(event));
    const { sessionId, seq, at, turnId, text } = event;
    return `{"kind":"TEXT_CONTENT","content":{"text":${JSON.stringify(text)}${task(sessionId)}${seq}${time(at)}${turn(turnId)}`;
  };
}

/** The last result is returned again while the value is the same. */
function remembered(write: (value: string | undefined) => string): (value: string | undefined) => string {
  let last: string | undefined;
  let text = write(last);
  return (value) => {
    if (value !== last) text = write((last = value));
    return text;
  };
}

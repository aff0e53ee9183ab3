import type { Response } from 'express';
import { heartbeatMs } from '../limits.js';
import type { Connection } from './connection.js';

export type StreamKind = { readonly isLegacy: boolean; readonly isSend: boolean };

/** What the SDK's HTTP+JSON transport does not do for a stream: event ids, heartbeats, `final` as v0.3 means it. */
export function decorateStream(response: Response, connection: Connection, { isLegacy, isSend }: StreamKind): void {
  const write = response.write.bind(response);
  const heartbeat = setInterval(() => {
    if (response.headersSent && !response.writableEnded) write(': heartbeat\n\n');
  }, heartbeatMs);
  response.once('close', () => clearInterval(heartbeat));
  response.write = ((chunk: unknown, ...rest: []) => {
    if (typeof chunk !== 'string' || !chunk.startsWith('data: ')) return write(chunk, ...rest);
    const text = isLegacy && isSend ? withFinal(chunk) : chunk;
    return write(connection.seq > 0 ? `id: ${connection.seq}\n${text}` : text, ...rest);
  }) as Response['write'];
}

/** A send ends where input is required, and v0.3 says so on the last event. */
function withFinal(chunk: string): string {
  return /"state":"input-required"/.test(chunk) ? chunk.replace('"final":false', '"final":true') : chunk;
}

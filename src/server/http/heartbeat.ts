import type { ServerResponse } from 'node:http';

/** Clients in the wild give up after 5 seconds of silence (the Python SDK). */
export const heartbeatMs = 4000;

/** Writes a comment to a stream of server-sent events now and then, until the stream closes. */
export function keepAlive(response: ServerResponse): void {
  const timer = setInterval(() => {
    // Not to a reader that has stopped: it would only grow what waits for it.
    if (!response.writableNeedDrain && !response.writableEnded) response.write(': heartbeat\n\n');
  }, heartbeatMs);
  response.once('close', () => clearInterval(timer));
}

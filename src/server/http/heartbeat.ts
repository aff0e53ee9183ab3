import type { ServerResponse } from 'node:http';

/** Some clients, such as the Python SDK, give up after 5 seconds of silence. */
export const heartbeatMs = 4000;

/** Writes a comment to a stream of server-sent events at intervals until the stream closes. */
export function keepAlive(response: ServerResponse): void {
  const timer = setInterval(() => {
    // Skip a reader that has stopped: its buffer would only grow.
    if (!response.writableNeedDrain && !response.writableEnded) response.write(': heartbeat\n\n');
  }, heartbeatMs);
  response.once('close', () => clearInterval(timer));
}

import { createServer, type Server } from 'node:http';
import { patienceMs } from '../http/limits.js';

/**
 * How long a connection without a request stays open. Longer than proxies and clients keep theirs (60 s at most by default), so
 * they close first: a request on a connection that we are closing is lost. Strangers' connections end sooner, at the door.
 */
const keepAliveTimeout = 75_000;

/** An HTTP server that does not listen itself. A door hands it connections. */
export function httpServer(): Server {
  const server = createServer({
    headersTimeout: patienceMs,
    connectionsCheckingInterval: patienceMs / 10,
    keepAliveTimeout,
  });
  // Node starts checking timeouts only once a server is listening.
  server.emit('listening');
  return server;
}

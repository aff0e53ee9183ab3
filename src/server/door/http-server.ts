import { createServer, type Server } from 'node:http';
import { patienceMs } from '../http/limits.js';

/** An HTTP server that does not listen itself. A door hands it connections. */
export function httpServer(): Server {
  const server = createServer({ headersTimeout: patienceMs, connectionsCheckingInterval: patienceMs / 10 });
  // Node starts checking timeouts only once a server is listening.
  server.emit('listening');
  return server;
}

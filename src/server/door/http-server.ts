import { createServer, type Server } from 'node:http';
import { patienceMs } from '../http/limits.js';

/** An HTTP server that listens nowhere: a door hands it its connections. */
export function httpServer(): Server {
  const server = createServer({ headersTimeout: patienceMs, connectionsCheckingInterval: patienceMs / 10 });
  // Node begins to watch over its timeouts when a server listens.
  server.emit('listening');
  return server;
}

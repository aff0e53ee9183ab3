import { randomUUID } from 'node:crypto';
import { WebSocketServer } from 'ws';
import { limits } from '../http/limits.js';

/** In the order in which we like them. */
const subprotocols = ['acp.v1', 'acp', 'a2a'];

/** Makes a WebSocket of a connection that has been let in. */
export function socketUpgrader(): WebSocketServer {
  // Frames are encoded once for all clients, so none may have compression of its own.
  const upgrader = new WebSocketServer({
    noServer: true,
    maxPayload: limits.messageBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) =>
      [...subprotocols, ...offered].find((name) => offered.has(name) && !name.startsWith('token.')) ?? false,
  });
  // ACP's remote transport wants a name for every connection.
  upgrader.on('headers', (headers, { url = '/' }) => {
    if (new URL(url, 'http://localhost').pathname === '/acp') headers.push(`Acp-Connection-Id: ${randomUUID()}`);
  });
  return upgrader;
}

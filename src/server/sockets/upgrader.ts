import { randomUUID } from 'node:crypto';
import { WebSocketServer } from 'ws';
import { limits } from '../http/limits.js';

/** In order of preference. */
const subprotocols = ['acp.v1', 'acp', 'a2a'];

/** Turns an admitted connection into a WebSocket. */
export function socketUpgrader(): WebSocketServer {
  // Frames are encoded once for all clients, so no client can have its own compression.
  const upgrader = new WebSocketServer({
    noServer: true,
    maxPayload: limits.messageBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) =>
      [...subprotocols, ...offered].find((name) => offered.has(name) && !/^(?:token|page)\./.test(name)) ?? false,
  });
  // ACP's remote transport requires an id for every connection.
  upgrader.on('headers', (headers, { url = '/' }) => {
    if (new URL(url, 'http://localhost').pathname === '/acp') headers.push(`Acp-Connection-Id: ${randomUUID()}`);
  });
  return upgrader;
}

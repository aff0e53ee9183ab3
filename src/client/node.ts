import { WebSocket } from 'ws';
import { connect as connectAnywhere, type ConnectOptions } from './connect.js';
import type { ClientSession } from './session.js';

/** `connect` for Node 20, which has no WebSocket of its own. */
function connectInNode(options: ConnectOptions): Promise<ClientSession> {
  return connectAnywhere({ WebSocket, ...options });
}

export { connectInNode as connect };
export { CosessionError } from './cosession-error.js';

import { WebSocket } from 'ws';
import { connect as connectAnywhere, type ConnectOptions } from './connect.js';
import type { ClientSession } from './session.js';

/** `connect` for Node 20, which has no WebSocket of its own. */
export function connect(options: ConnectOptions): Promise<ClientSession> {
  return connectAnywhere({ WebSocket, ...options });
}

export { CosessionError } from './cosession-error.js';

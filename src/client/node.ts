import { WebSocket } from 'ws';
import { connect as connectAnywhere, type ConnectOptions } from './connect.js';
import { pinnedFetch, pinnedWebSocket } from './pinned.js';
import type { ClientSession } from './session.js';

/** `connect` for Node 20, which has no WebSocket of its own. */
function connectInNode(options: ConnectOptions): Promise<ClientSession> {
  const { certificate } = options;
  const trust =
    certificate === undefined ? {} : { WebSocket: pinnedWebSocket(certificate), fetch: pinnedFetch(certificate) };
  return connectAnywhere({ WebSocket, ...trust, ...options });
}

export { connectInNode as connect };
export { CosessionError } from './cosession-error.js';
export { createTask } from './create-task.js';

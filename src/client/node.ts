import { WebSocket } from 'ws';
import { connect as connectAnywhere, type ConnectOptions } from './connect.js';
import { createTask as createTaskAnywhere, type CreateTaskOptions } from './create-task.js';
import { pinnedFetch, pinnedWebSocket } from './transport/pinned.js';
import type { ClientSession } from './session.js';

/** `connect` for Node 20, which has no built-in WebSocket. */
function connectInNode(options: ConnectOptions): Promise<ClientSession> {
  const { certificate } = options;
  const trust =
    certificate === undefined ? {} : { WebSocket: pinnedWebSocket(certificate), fetch: pinnedFetch(certificate) };
  return connectAnywhere({ WebSocket, ...trust, ...options });
}

function createTaskInNode(options: CreateTaskOptions): Promise<string> {
  const { certificate } = options;
  return createTaskAnywhere({ ...(certificate === undefined ? {} : { fetch: pinnedFetch(certificate) }), ...options });
}

export { connectInNode as connect, createTaskInNode as createTask };
export { CosessionError } from './transport/cosession-error.js';

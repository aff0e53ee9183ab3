import type { Server } from 'node:net';
import { listen } from './listen.js';

/** Listens on 127.0.0.1 and resolves to the port; rejects with Node's error if the port is not available. */
export function listenOnLoopback(server: Server, port: number): Promise<number> {
  return listen(server, port, '127.0.0.1');
}

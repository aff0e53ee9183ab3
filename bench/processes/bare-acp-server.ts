import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { serve } from '../support/serve.js';
import { loadOf, text } from './load.js';
import type { ServerMethods } from './our-server.js';

/** The usual broadcast with `ws`: sends the updates that our ACP clients get, with exactly the same number of bytes. */
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
server.on('connection', (client) => {
  for (const greeting of ['initialize', 'session/new', 'commands']) client.send(`{"about":"${greeting}"}`);
});

const load = loadOf(() => {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
  const json = JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'session-1', update } });
  for (const client of server.clients) client.send(`${json}\n`);
});

const methods: ServerMethods = {
  async open() {
    if (!server.address()) await once(server, 'listening');
    // A TCP server has this form of address.
    return (server.address() as AddressInfo).port;
  },
  ...load,
};
serve(methods);

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { serve } from '../support/serve.js';
import { loadOf, text } from './load.js';
import type { ServerMethods } from './our-server.js';

/** The usual broadcast with `ws`: serialise once, send to each. Its frames have exactly as many bytes as ours. */
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
server.on('connection', (client) => client.send('{"kind":"SNAPSHOT"}'));
const turnId = randomUUID();
// By now, our session has sent the prompt and the start of its turn.
let seq = 2;
// As long as any other time. Formatting it each time would be a cost that is not of the broadcast.
const at = new Date().toISOString();

const load = loadOf(() => {
  const json = JSON.stringify({
    kind: 'TEXT_CONTENT',
    content: { text },
    taskId: 'session-1',
    seq: ++seq,
    at,
    turnId,
  });
  for (const client of server.clients) client.send(json);
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

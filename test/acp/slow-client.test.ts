import { get, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AcpClient } from '../support/acp-client.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { until } from '../support/until.js';

let hub: ServedHub;
beforeEach(async () => {
  hub = await serveHub();
});
afterEach(() => hub.stop());

/** Both join the session, and stop reading. */
const slowClients = {
  async 'over WebSocket'() {
    const slow = await hub.connect('?protocol=acp');
    await slow.call('initialize', { protocolVersion: 1, clientCapabilities: {} });
    await slow.call('session/new', { cwd: '/', mcpServers: [] });
    slow.socket.pause();
    return () => slow.close();
  },
  async 'over HTTP'() {
    const post = (body: object, headers = {}) => hub.post('acp', { jsonrpc: '2.0', ...body }, headers);
    const hello = { protocolVersion: 1, clientCapabilities: {} };
    const opened = await post({ id: 1, method: 'initialize', params: hello });
    const connection = { 'Acp-Connection-Id': opened.headers.get('acp-connection-id') ?? '' };
    await post({ id: 2, method: 'session/new', params: { cwd: '/', mcpServers: [] } }, connection);
    const headers = { accept: 'text/event-stream', 'Acp-Session-Id': 'session-1', ...connection };
    const stream = await new Promise<IncomingMessage>((resolve) => get(`${hub.base}/acp`, { headers }, resolve));
    stream.on('error', () => {}).pause();
    return () => stream.destroy();
  },
};

test.each(['over WebSocket', 'over HTTP'] as const)(
  'a client %s that stops reading is cut off, and the others miss nothing',
  async (transport) => {
    const leave = await slowClients[transport]();
    const alice = await AcpClient.connect(`${hub.base.replace('http', 'ws')}/ws`, { name: 'alice' });
    expect(hub.server.clients).toBe(2);
    const page = 'x'.repeat(64 * 1024);
    for (let i = 0; i < 400; i++) {
      hub.engine.say(page);
      // As fast as who reads can read.
      if (i % 20 === 19) await until(() => alice.text.length === (i + 1) * page.length);
    }
    await until(() => hub.server.clients === 1);
    expect(alice.text).toHaveLength(400 * page.length);
    alice.close();
    leave();
  },
);

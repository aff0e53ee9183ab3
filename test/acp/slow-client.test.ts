import { afterEach, beforeEach, expect, test } from 'vitest';
import { AcpClient } from '../support/acp-client.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { until } from '../support/until.js';

let hub: ServedHub;
beforeEach(async () => {
  hub = await serveHub();
});
afterEach(() => hub.stop());

test('an ACP client that stops reading is cut off, and the others miss nothing', async () => {
  const slow = await hub.connect('?protocol=acp');
  await slow.call('initialize', { protocolVersion: 1, clientCapabilities: {} });
  await slow.call('session/new', { cwd: '/', mcpServers: [] });
  const alice = await AcpClient.connect(`${hub.base.replace('http', 'ws')}/ws`, { name: 'alice' });
  expect(hub.server.clients).toBe(2);
  slow.socket.pause();
  const page = 'x'.repeat(64 * 1024);
  for (let i = 0; i < 400; i++) {
    hub.engine.say(page);
    // As fast as who reads can read.
    if (i % 20 === 19) await until(() => alice.text.length === (i + 1) * page.length);
  }
  await until(() => hub.server.clients === 1);
  expect(alice.text).toHaveLength(400 * page.length);
  alice.close();
});

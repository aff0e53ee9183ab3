import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silenceMs } from '../../src/server/endpoint/first-frame.js';
import { AcpClient } from '../support/acp-client.js';
import { type ServedHub, serveHub, token } from '../support/served-hub.js';
import { until } from '../support/until.js';

let hub: ServedHub;
beforeEach(async () => {
  hub = await serveHub();
});
afterEach(() => {
  vi.useRealTimers();
  return hub.stop();
});

const initialize = { protocolVersion: 1, clientCapabilities: {}, clientInfo: { name: 'plain', version: '1' } };

test('a silent client gets the snapshot of the moment it came in, then everything since', async () => {
  const watcher = await hub.connect();
  hub.engine.say('said while it was not known what the client speaks');
  const snapshot = await watcher.kind('SNAPSHOT');
  expect(snapshot.seq).toBe(0);
  expect(await watcher.kind('TEXT_CONTENT')).toMatchObject({ seq: 1 });
  expect(watcher.seen.indexOf(snapshot)).toBe(0);
});

test('that an ACP client could not read what watchers are sent is nothing to print', async () => {
  const client = await hub.connect();
  await client.kind('SNAPSHOT');
  await client.call('initialize', initialize);
  // As ACP's SDK answers a message that is none.
  client.socket.send(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid request' } }));
  expect(await client.call('session/list')).toMatchObject({ result: { sessions: [{ sessionId: 'session-1' }] } });
});

test('a silent client may still turn out to speak ACP', async () => {
  const client = await hub.connect();
  await client.kind('SNAPSHOT');
  expect(await client.call('initialize', initialize)).toMatchObject({ result: { protocolVersion: 1 } });
  expect(await client.call('session/new', { cwd: '/', mcpServers: [] })).toMatchObject({
    result: { sessionId: 'session-1' },
  });
  client.forget();
  hub.engine.say('hello');
  await client.find((event) => event['method'] === 'session/update');
  expect(client.seen.filter(({ kind }) => kind !== undefined)).toEqual([]);
  expect(hub.server.clients).toBe(1);
});

test('a first frame that is not initialize is answered at once in the dialect of the endpoint', async () => {
  const client = await hub.connect();
  expect(await client.call('tasks/get')).toMatchObject({ result: { id: 'session-1' } });
  expect(client.seen[0]?.kind).toBe('SNAPSHOT');
});

test.each([['acp.v1'], ['acp']])('the subprotocol %s is ACP before the first frame', async (protocol) => {
  const client = await hub.connect('', { protocols: [protocol] });
  expect(client.socket.protocol).toBe(protocol);
  expect(await client.call('initialize', initialize)).toMatchObject({ result: { agentInfo: { name: 'cosession' } } });
  expect(client.seen).toHaveLength(1);
});

test('?protocol= names what a client speaks, and then nothing waits for its first frame', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const [endpoint, acp] = [await hub.connect('?protocol=endpoint'), await hub.connect('?protocol=acp')];
  await endpoint.kind('SNAPSHOT');
  vi.advanceTimersByTime(10 * silenceMs);
  expect(await acp.call('initialize', initialize)).toHaveProperty('result');
  expect(acp.seen).toHaveLength(1);
});

test('messages may come as lines in binary frames, from clients made for pipes', async () => {
  const client = await hub.connect('?protocol=acp');
  const line = (id: number, method: string, params: object): string =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  client.socket.send(Buffer.from(line(1, 'initialize', initialize) + line(2, 'session/list', {})));
  await client.find((message) => message['id'] === 2);
  client.socket.send('{"jsonrpc"');
  expect(await client.find((message) => message['id'] === null)).toMatchObject({ error: { code: -32700 } });
});

test('the guards of /ws hold for ACP', async () => {
  const url = `ws://127.0.0.1:${hub.server.port}/acp`;
  const join = (headers: Record<string, string>): Promise<AcpClient> => AcpClient.connect(url, { headers });
  await expect(join({ origin: 'https://example.com' })).rejects.toThrow('403');
  await expect(join({ authorization: 'Bearer wrong' })).rejects.toThrow('401');
  const client = await join({ authorization: `Bearer ${token}` });
  expect(client.sessionId).toBe('session-1');
  client.close();
  await until(() => hub.server.clients === 0);
});

import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { AcpClient } from '../support/acp-client.js';
import { waitingShell } from '../support/manual-engine.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { until } from '../support/until.js';

let hub: ServedHub;
let clients: AcpClient[];
beforeEach(async () => {
  hub = await serveHub();
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.close();
  await hub.stop();
});

async function connect(name: string, join = true): Promise<AcpClient> {
  const client = await AcpClient.connect(`${hub.base}/acp`, { name, join });
  clients.push(client);
  return client;
}

test('a client over HTTP prompts, gets everything in order, and is one of the clients', async () => {
  const alice = await connect('alice');
  expect(hub.server.clients).toBe(1);
  const done = alice.prompt('hello');
  await until(() => hub.engine.started.length);
  for (let i = 0; i < 200; i++) hub.engine.say(`${i} `);
  hub.engine.end();
  expect(await done).toEqual({ stopReason: 'end_turn' });
  expect(alice.text).toBe(Array.from({ length: 200 }, (_, i) => `${i} `).join(''));
});

test.each(['v1/.well-known/agent-card.json', '.well-known/agent-card.json'])('%s says where ACP is', async (path) => {
  const card = (await (await fetch(`${hub.base}/${path}`)).json()) as {
    capabilities: {
      extensions: { uri: string; params?: Record<'url' | 'webSocketUrl', string> & { protocolVersions: number[] } }[];
    };
  };
  const acp = card.capabilities.extensions.find(({ uri }) => uri === 'https://agentclientprotocol.com');
  expect(acp?.params?.protocolVersions).toEqual([1]);
  for (const url of [acp?.params?.url, acp?.params?.webSocketUrl]) {
    const client = await AcpClient.connect(url ?? '', { name: 'reader of cards' });
    clients.push(client);
    expect(client.sessionId).toBe('session-1');
  }
});

test('a client over HTTP loses and wins the race for a permission', async () => {
  const [alice, wire] = [await connect('alice'), await hub.connect()];
  hub.engine.report({ type: 'started', text: 'typed', origin: { surface: 'tui' } });
  hub.engine.report({ type: 'tool', call: waitingShell('first') });
  const lost = await alice.question();
  await wire.answer('first', 'proceed_once');
  await until(() => lost.wasWithdrawn);
  hub.engine.report({ type: 'tool', call: waitingShell('second') });
  (await alice.question()).answer('cancel');
  await until(() => hub.engine.answered.length === 2);
  expect(hub.engine.answered[1]).toEqual({ callId: 'second', answer: { optionId: 'cancel' } });
});

test('a turn goes on without the client that prompted it, and another connection loads it', async () => {
  const alice = await connect('alice');
  alice.prompt('long work').catch(() => {});
  await until(() => hub.engine.started.length);
  hub.engine.say('working');
  alice.close();
  await until(() => hub.server.clients === 0);
  expect(hub.engine.cancels).toBe(0);
  const again = await connect('again', false);
  await again.load('session-1');
  // Over HTTP, the history and the answer come on streams of their own.
  await until(() => again.text === 'working');
  expect(again.heard).toBe('long work');
});

const post = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
  hub.post('acp', { jsonrpc: '2.0', ...body }, headers);

/** Returns the header that names the connection. */
async function initialize(): Promise<Record<string, string>> {
  const params = { protocolVersion: 1, clientCapabilities: {} };
  const opened = await post({ id: 1, method: 'initialize', params });
  return { 'Acp-Connection-Id': opened.headers.get('acp-connection-id') ?? '' };
}

test("an answer that does not name its session is taken for the connection's only one", async () => {
  const connection = await initialize();
  await post({ id: 2, method: 'session/new', params: { cwd: '/', mcpServers: [] } }, connection);
  hub.engine.report({ type: 'started', text: 'typed', origin: { surface: 'tui' } });
  hub.engine.report({ type: 'tool', call: waitingShell() });
  const answer = { outcome: { outcome: 'selected', optionId: 'proceed_once' } };
  const stream = await fetch(`${hub.base}/acp`, {
    headers: { accept: 'text/event-stream', 'Acp-Session-Id': 'session-1', ...connection },
  });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let seen = '';
  while (!seen.includes('request_permission')) seen += (await reader?.read())?.value ?? '';
  const id = Number(/"id":(\d+),"method":"session\/request_permission"/.exec(seen)?.[1]);
  expect((await post({ id, result: answer }, connection)).status).toBe(202);
  await until(() => hub.engine.answered.length);
  await reader?.cancel();
});

test('a connection is gone when no stream of it was open for a while, and not before', async () => {
  await hub.stop();
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  hub = await serveHub({}, { acpIdleMs: 300 });
  const connection = await initialize();
  const stream = await fetch(`${hub.base}/acp`, { headers: { accept: 'text/event-stream', ...connection } });
  vi.advanceTimersByTime(1000);
  expect(hub.server.clients).toBe(1);
  await stream.body?.cancel();
  await until(() => {
    vi.advanceTimersByTime(150);
    return hub.server.clients === 0;
  });
  expect((await post({ id: 2, method: 'session/list', params: {} }, connection)).status).toBe(404);
});

test.each([
  ['a page of another origin', { origin: 'https://example.com' }, 403],
  ['a wrong token', { authorization: 'Bearer wrong' }, 401],
  ['a form', { 'content-type': 'text/plain' }, 415],
  ['another name of this machine', { host: 'evil.example' }, 403],
])('%s is refused before ACP sees it', async (_, headers, status) => {
  const { request } = await import('node:http');
  const answered = await new Promise<number>((resolve, reject) => {
    const sent = request(`${hub.base}/acp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    });
    sent.on('response', (response) => resolve(response.statusCode ?? 0)).on('error', reject);
    sent.end('{}');
  });
  expect(answered).toBe(status);
});

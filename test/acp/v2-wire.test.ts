import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { AcpV2Client, type AnyUpdate } from '../support/acp-v2-client.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { until } from '../support/until.js';

let hub: ServedHub;
beforeEach(async () => {
  hub = await serveHub({}, { acpV2: true });
});
afterEach(() => hub.stop());

test.each<[string, number, number, { acpV2?: boolean }]>([
  ['with the flag', 2, 2, { acpV2: true }],
  ['with the flag', 3, 2, { acpV2: true }],
  ['with the flag', 1, 1, { acpV2: true }],
  ['without it', 2, 1, {}],
])('%s a client that offers version %i is answered with version %i', async (_, offered, agreed, settings) => {
  const other = await serveHub({}, settings);
  try {
    const info = { name: 'raw', version: '1' };
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: offered, info } };
    for (const path of ['ws', 'acp']) {
      const socket = new WebSocket(`${other.base.replace('http', 'ws')}/${path}`);
      await once(socket, 'open');
      const replies: object[] = [];
      socket.on('message', (data: Buffer) => replies.push(JSON.parse(data.toString()) as object));
      socket.send(JSON.stringify(initialize));
      // A client that is slow to begin on /ws first gets what a watcher gets.
      await until(() => replies.some((reply) => 'id' in reply));
      expect(replies.at(-1)).toMatchObject({ id: 1, result: { protocolVersion: agreed } });
      socket.close();
    }
    const card = (await (await fetch(`${other.base}/.well-known/agent-card.json`)).json()) as object;
    expect(JSON.stringify(card)).toContain(`"protocolVersions":${settings.acpV2 ? '[1,2]' : '[1]'}`);
    const response = await other.post('acp', initialize);
    expect(await response.json()).toMatchObject({ id: 1, result: { protocolVersion: agreed } });
  } finally {
    await other.stop();
  }
});

test('on the wire the past comes first, then the state, then the response', async () => {
  hub.engine.report({ type: 'started', text: 'typed', origin: { surface: 'tui' } }, { type: 'text', text: 'one' });
  const socket = new WebSocket(`${hub.base.replace('http', 'ws')}/acp`);
  await once(socket, 'open');
  const frames: string[] = [];
  socket.on('message', (data: Buffer) => {
    const { id, params } = JSON.parse(data.toString()) as { id?: number; params?: { update: AnyUpdate } };
    frames.push(id === undefined ? (params?.update.sessionUpdate ?? '') : `response ${id}`);
  });
  const send = (id: number, method: string, params: object): void =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  send(1, 'initialize', { protocolVersion: 2, info: { name: 'raw', version: '1' } });
  await until(() => frames.includes('response 1'));
  send(2, 'session/resume', { sessionId: 'session-1', cwd: '/project', replayFrom: { type: 'start' } });
  await until(() => frames.includes('response 2'));
  socket.close();
  const [past, commands, state] = ['agent_message_chunk', 'available_commands_update', 'state_update'];
  expect(frames).toEqual(['response 1', 'user_message', past, commands, state, 'response 2']);
});

test.each([
  ['a place to replay from that there is not', 'session/resume', { replayFrom: { type: '_middle' } }, -32602],
  ['a session that there is not', 'session/resume', { sessionId: 'nowhere' }, -32002],
  [
    'an MCP server, which was not offered',
    'session/new',
    { mcpServers: [{ type: 'stdio', name: 'a', command: '/a' }] },
    -32602,
  ],
  ['a call that cannot be cancelled alone', 'tool_call/cancel', { toolCallId: 'call-1' }, -32602],
] as const)('%s is refused', async (_, method, params, code) => {
  const alice = await AcpV2Client.connect(`${hub.base.replace('http', 'ws')}/ws`);
  const request = { sessionId: 'session-1', cwd: '/project', ...params } as never;
  await expect(alice.agent.request(method, request)).rejects.toMatchObject({ code });
  alice.close();
});

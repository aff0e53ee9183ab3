import { Message, Part } from '@a2a-js/sdk';
import { LegacyA2AService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { limits } from '../../src/server/http/limits.js';
import { grpcClient } from '../support/a2a/grpc-client.js';
import { freePort } from '../support/free-port.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { WireClient } from '../support/wire-client.js';

/** A body under 1 MiB held up everybody else for seconds: half a million parts, each refused with a reason of its own. */
const model = await startModelServer(scriptOf({}));
afterAll(() => model.close());
const grpcPort = await freePort();
const args = ['--grpc-port', String(grpcPort)];
const served = await startServe({ folder: temporaryFolder(), modelUrl: model.url, args }, 'file');

const rpc = (method: string, params: object): object => ({ jsonrpc: '2.0', id: 1, method, params });
const message = (parts: unknown): object => ({ message: { messageId: 'm', role: 'user', kind: 'message', parts } });
const v1 = { 'a2a-version': '1.0' };

/** Under the limit of a body, over that of values. */
const many: readonly (readonly [string, unknown])[] = [
  ['numbers', Array<number>(limits.jsonValues + 1).fill(1)],
  ['objects', Array.from({ length: limits.jsonValues / 2 + 1 }, () => ({}))],
  ['texts', Array.from({ length: limits.jsonValues / 2 + 1 }, () => ({ kind: 'text', text: 'a' }))],
  ['keys', Object.fromEntries(Array.from({ length: limits.jsonValues + 1 }, (_, n) => [n, 0]))],
];
const routes: readonly (readonly [string, (value: unknown) => object, Record<string, string>?])[] = [
  ['', (value) => rpc('message/send', message(value))],
  ['', (value) => rpc('SendMessage', message(value)), v1],
  ['', (value) => rpc('tasks/get', { id: 'x', metadata: value })],
  ['a2a/rest/message:send', message, v1],
  ['a2a/rest/v1/message:send', message],
  ['message/stream', (value) => ({ userMessage: { parts: value } })],
  ['tasks', (value) => ({ agentSettings: value })],
  ['tasks/x/messages/stream', message],
  ['tasks/x/execute', (value) => ({ message: { parts: value } })],
  ['executeCommand', (value) => ({ command: 'help', args: value })],
  ['acp', (value) => rpc('initialize', { protocolVersion: 1, clientCapabilities: value })],
];

test('a body that says too much is refused before it is worked through, on every route', async () => {
  const wrong: string[] = [];
  for (const [path, wrap, headers] of routes) {
    for (const [name, value] of many) {
      expect(JSON.stringify(wrap(value)).length).toBeLessThan(limits.messageBytes);
      const response = await served.post(path, wrap(value), headers);
      const text = await response.text();
      if (response.status !== 413 || !text.includes('values')) wrong.push(`/${path} with ${name}: ${response.status}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('so is a frame, and the socket stays open', async () => {
  await served.post('tasks', { contextId: 'one' });
  const ws = served.base.replace('http', 'ws');
  const parts = Array<number>(limits.jsonValues + 1).fill(1);

  const watcher = await WireClient.connect(`${ws}/ws?taskId=one&protocol=endpoint`);
  watcher.socket.send(JSON.stringify(rpc('message/stream', message(parts))));
  expect(await watcher.kind('ERROR')).toMatchObject({ message: expect.stringContaining('values') as string });
  expect(await watcher.call('tasks/get')).toHaveProperty('result');

  const editor = await WireClient.connect(`${ws}/acp`);
  await editor.call('initialize', { protocolVersion: 1 });
  editor.forget();
  // One frame of many messages is one refusal, whether it is too long or says too much.
  const list = JSON.stringify({ jsonrpc: '2.0', id: 'list', method: 'session/list', params: {} });
  const large = JSON.stringify({
    jsonrpc: '2.0',
    id: 'large',
    method: 'session/list',
    params: parts.slice(-limits.acpValues + 100),
  });
  for (const frame of ['x\n'.repeat(300_000), `${list}\n`.repeat(limits.frameMessages + 1), `${large}\n`.repeat(2)]) {
    editor.socket.send(frame);
    expect(await editor.call('session/list')).toHaveProperty('result');
    expect(editor.seen.filter((reply) => reply['error'] !== undefined)).toHaveLength(1);
    expect(editor.seen.filter((reply) => reply['id'] === 'list')).toEqual([]);
    editor.forget();
  }
  // What comes as lines, and is not too much, is served line by line.
  editor.socket.send(`${list}\n`.repeat(3));
  await editor.call('session/list');
  expect(editor.seen.filter((reply) => reply['id'] === 'list')).toHaveLength(3);
  watcher.close();
  editor.close();
});

test('so is a call of gRPC', async () => {
  const parts = (count: number): Part[] => Array.from({ length: count }, () => Part.fromJSON({ text: 'a' }));
  for (const [service, headers] of [
    [A2AService, v1],
    [LegacyA2AService, {}],
  ] as const) {
    const client = grpcClient(grpcPort, service, headers);
    const send = (count: number): Promise<unknown> => {
      const message = { ...Message.fromJSON({ messageId: `m${count}`, role: 'ROLE_USER' }), parts: parts(count) };
      const old = { ...message, content: parts(count).map(() => ({ part: { $case: 'text', value: 'a' } })) };
      const request = service === A2AService ? { message } : { request: old };
      return client.call('sendMessage', { tenant: '', configuration: undefined, metadata: undefined, ...request });
    };
    await expect(send(limits.jsonValues + 1)).rejects.toMatchObject({ code: 8 });
    expect(await send(10)).toBeDefined();
    client.close();
  }
});

test('what is large but says little is served', async () => {
  const text = 'a, [b] {c} '.repeat(80_000);
  const response = await served.post('message/stream', { userMessage: { kind: 'text-content', text } });
  expect(response.status).toBe(200);
  await response.body?.cancel();
});

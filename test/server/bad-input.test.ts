import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { WebSocket } from 'ws';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../src/server/http/limits.js';
import { type ServedHub, serveHub, token } from '../support/served-hub.js';
import { until } from '../support/until.js';

let hub: ServedHub;
beforeEach(async () => {
  hub = await serveHub();
});
afterEach(async () => {
  // Whatever came in, nothing reached the engine and nothing broke.
  expect(hub.engine.started).toEqual([]);
  expect(hub.logged.filter(({ message }) => message === 'request failed')).toEqual([]);
  await hub.stop();
});

/** Headers that fetch would not let through, such as Host. */
async function raw(
  method: string,
  path: string,
  headers: Record<string, string>,
  body = '',
): Promise<{ status: number; text: string }> {
  const call = request({ host: '127.0.0.1', port: hub.server.port, method, path, headers });
  call.end(body);
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode ?? 0, text };
}

async function refusedUpgrade(
  headers: Record<string, string>,
  path = '/ws',
  protocols: string[] = [],
): Promise<{ status: number; body: string }> {
  const socket = new WebSocket(`ws://127.0.0.1:${hub.server.port}${path}`, protocols, { headers });
  return new Promise((resolve, reject) => {
    socket.on('open', () => reject(new Error('the upgrade was accepted')));
    socket.on('error', () => {});
    socket.on('unexpected-response', (_request, response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
  });
}

const json = { 'content-type': 'application/json' };
const prompt = JSON.stringify({ message: { content: { text: 'rm -rf /' } } });
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

describe('HTTP', () => {
  const local = (): string => `127.0.0.1:${hub.server.port}`;
  const stream = '/tasks/session-1/messages/stream';

  test.each([
    ['broken JSON', 400, 'parse-error', stream, json, '{"message":'],
    ['deep nesting', 400, 'parse-error', stream, json, deep],
    ['an array', 400, 'bad-request', stream, json, '[1,2]'],
    ['a wrong type', 400, 'bad-request', stream, json, '{"message":{"content":{"text":42}}}'],
    ['no text', 400, 'bad-request', stream, json, '{"message":{}}'],
    ['a wrong cursor', 400, 'bad-request', `${stream}?after=abc`, json, prompt],
    ['text/plain', 415, 'not-json', stream, { 'content-type': 'text/plain' }, prompt],
    ['a form', 415, 'not-json', stream, { 'content-type': 'application/x-www-form-urlencoded' }, 'a=b'],
    ['no content type', 415, 'not-json', stream, {}, prompt],
    ['an unknown task', 404, 'unknown-task', '/tasks/nope/messages/stream', json, prompt],
    ['an unknown route', 404, 'not-found', '/nope', json, '{}'],
    ['a wrong token', 401, 'bad-token', stream, { ...json, authorization: 'Bearer wrong' }, prompt],
    ['an evil origin', 403, 'origin-not-allowed', stream, { ...json, origin: 'https://evil.example' }, prompt],
    ['a null origin', 403, 'origin-not-allowed', stream, { ...json, origin: 'null' }, prompt],
    ['another site', 403, 'origin-not-allowed', stream, { ...json, 'sec-fetch-site': 'cross-site' }, prompt],
    ['an evil host', 403, 'host-not-allowed', stream, { ...json, host: 'evil.example' }, prompt],
    ['another port as host, without a token', 401, 'token-required', stream, { ...json, host: '127.0.0.1:1' }, prompt],
  ])('%s is %i %s', async (_name, status, code, path, headers, body) => {
    const answer = await raw('POST', path, { host: local(), ...headers }, body);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
      status,
      { error: { code, message: expect.any(String) } },
    ]);
    expect(answer.text).not.toMatch(/\bat .*\.[tj]s:\d+/);
  });

  test('a body over the limit is 413', async () => {
    const body = JSON.stringify({ message: { content: { text: 'x'.repeat(limits.messageBytes) } } });
    const answer = await raw('POST', stream, { host: local(), ...json }, body);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([413, { error: { code: 'too-large' } }]);
  });

  test('no answer carries CORS headers, a preflight is not answered with permission', async () => {
    const response = await fetch(`${hub.base}/.well-known/agent-card.json`);
    const preflight = await fetch(`${hub.base}/tasks`, { method: 'OPTIONS' });
    for (const { headers } of [response, preflight]) expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.get('x-powered-by')).toBeNull();
  });

  test('the right token passes, as header and as subprotocol', async () => {
    expect((await hub.post('tasks', {}, { authorization: `Bearer ${token}` })).status).toBe(201);
    const client = await hub.connect('', { protocols: ['a2a', `token.${token}`] });
    expect(client.socket.protocol).toBe('a2a');
  });

  test('half a request that never ends holds nobody up', async () => {
    const socket = connectTcp(hub.server.port, '127.0.0.1');
    socket.write(
      `POST /tasks HTTP/1.1\r\nHost: ${local()}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    expect((await hub.post('tasks', {})).status).toBe(201);
    socket.destroy();
  });
});

describe('the socket', () => {
  test.each([
    ['an evil origin', { origin: 'https://evil.example' }, '/ws', 403, 'origin-not-allowed'],
    ['an evil host', { host: 'evil.example' }, '/ws', 403, 'host-not-allowed'],
    ['another path', {}, '/other', 404, 'not-found'],
    ['a wrong cursor', {}, '/ws?after=-1', 400, 'bad-request'],
    ['a wrong token', { authorization: 'Bearer wrong' }, '/ws', 401, 'bad-token'],
  ])('%s refuses the upgrade', async (_name, headers, path, status, code) => {
    const answer = await refusedUpgrade(headers, path);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([status, { error: { code } }]);
  });

  test.each([
    ['broken JSON', '{', -32700],
    ['deep nesting', deep, -32700],
    ['a batch', '[]', -32600],
    ['a number', '42', -32600],
    ['no method', '{"jsonrpc":"2.0","id":77}', -32600],
    ['another version', '{"jsonrpc":"1.0","id":77,"method":"x"}', -32600],
    ['an unknown method', '{"jsonrpc":"2.0","id":77,"method":"system/quit"}', -32601],
    ['a method of Object', '{"jsonrpc":"2.0","id":77,"method":"constructor"}', -32601],
    ['no params', '{"jsonrpc":"2.0","id":77,"method":"message/stream"}', -32602],
    [
      'another task',
      '{"jsonrpc":"2.0","id":77,"method":"message/stream","params":{"taskId":"nope","message":{"content":{"text":"x"}}}}',
      -32001,
    ],
    [
      'an answer without option',
      '{"jsonrpc":"2.0","id":77,"method":"message/stream","params":{"message":{"content":{"data":{"tool_call_id":"x"}}}}}',
      -32602,
    ],
    ['a negative cursor', '{"jsonrpc":"2.0","id":77,"method":"tasks/resubscribe","params":{"after":-1}}', -32602],
  ])('%s gets an error and the connection stays', async (_name, text, code) => {
    const client = await hub.connect();
    client.socket.send(text);
    const reply = await client.find((event) => event['error']);
    expect(reply).toMatchObject({ jsonrpc: '2.0', error: { code, message: expect.any(String) } });
    expect(await client.call('tasks/get')).toHaveProperty('result');
  });

  test('a binary frame is refused in words', async () => {
    const client = await hub.connect();
    client.socket.send(Buffer.from([1, 2, 3]));
    expect(await client.find((event) => event['error'])).toMatchObject({ error: { code: -32600 } });
  });

  test('a frame over the limit closes that connection with 1009 and no other', async () => {
    const [hostile, other] = [await hub.connect(), await hub.connect()];
    hostile.socket.send('x'.repeat(limits.messageBytes + 1));
    const [code] = (await once(hostile.socket, 'close')) as [number];
    expect(code).toBe(1009);
    expect(await other.call('tasks/get')).toHaveProperty('result');
  });

  test('200 connections are served, each with its own snapshot', async () => {
    const clients = await Promise.all(Array.from({ length: 200 }, () => hub.connect()));
    hub.engine.say('to all');
    await Promise.all(clients.map((client) => client.kind('TEXT_CONTENT')));
    expect(hub.server.clients).toBe(200);
    for (const client of clients) client.socket.terminate();
    await until(() => hub.server.clients === 0);
  });

  test('a client that never reads is cut off at its buffer limit and slows nobody down', async () => {
    const stalled = await hub.connect('?protocol=endpoint');
    stalled.socket.pause();
    const reader = await hub.connect();
    const before = process.memoryUsage().rss;
    const text = 'x'.repeat(100_000);
    for (let i = 0; i < 600; i++) {
      hub.engine.say(text);
      await new Promise(setImmediate);
    }
    await reader.find((event) => event.seq === 600);
    await until(() => hub.server.clients === 1);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
    stalled.socket.resume();
    const [code] = await once(stalled.socket, 'close');
    expect([1006, 1013]).toContain(code);
  });
});

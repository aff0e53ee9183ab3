import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { eventsOf, post } from '../support/a2a/http.js';
import { toNew, toOld } from '../support/a2a/messages.js';
import { all, type Json, nextId, type Transport, type TransportName } from '../support/a2a/transport.js';
import { type Checklist, openChecklist } from '../support/checklist.js';

let base = '';
let checklist: Checklist;
beforeAll(async () => {
  checklist = await openChecklist();
  ({ base } = checklist);
});
afterAll(() => checklist.close());
const on = (name: TransportName): Transport => checklist.on(name);

describe('prefixes that conformance kits steer by', () => {
  test.each([
    ['tck-reject-task', ['rejected']],
    ['tck-complete-task', ['completed']],
    ['tck-input-required', ['input-required']],
    ['tck-artifact-text', [undefined, 'completed']],
    ['tck-artifact-file', [undefined, 'completed']],
    ['tck-artifact-file-url', [undefined, 'completed']],
    ['tck-artifact-data', [undefined, 'completed']],
    ['tck-stream-001', [undefined, 'completed']],
    ['tck-stream-002', ['completed']],
    ['tck-stream-artifact-chunked', [undefined, undefined, 'completed']],
    ['test-resubscribe-message-id', ['completed']],
  ])('%s', async (prefix, states) => {
    const events = await all(on('JSON-RPC v1.0').stream({ text: 'hello', messageId: `${prefix}-${nextId()}` }));
    expect(events.map(({ state }) => state)).toEqual(['submitted', 'working', ...states]);
  });
});

const rpc = async (method: string, params: unknown, headers: Record<string, string> = { 'a2a-version': '1.0' }) =>
  (await (await post(`${base}/`, { jsonrpc: '2.0', id: 7, method, params }, headers)).json()) as {
    result: Json;
    error: { code: number; message: string; data: Json[] };
  };

test.each([
  ['a status that does not exist', { status: 'TASK_STATE_SLEEPING' }],
  ['a time that is none', { statusTimestampAfter: 'yesterday' }],
])('3.1.4 ListTasks: %s is malformed', async (_name, params) => {
  expect((await rpc('ListTasks', params)).error.code).toBe(-32602);
});

describe('errors', () => {
  test('an answer that came second has the winner in its details, in both versions', async () => {
    const data = { tool_call_id: 'edit-1', selected_option_id: 'proceed_once' };
    for (const [name, message] of [
      ['JSON-RPC v1.0', toNew],
      ['JSON-RPC v0.3', toOld],
    ] as const) {
      const { contextId = '' } = await on(name).send({ text: 'tool' });
      await on(name).send({ data, contextId });
      const isOld = name.endsWith('0.3');
      const method = isOld ? 'message/send' : 'SendMessage';
      const { error } = await rpc(
        method,
        { message: message({ data, contextId }) },
        isOld ? {} : { 'a2a-version': '1.0' },
      );
      expect([error.code, JSON.stringify(error.data)]).toEqual([-32050, expect.stringContaining('proceed_once')]);
    }
  });

  test.each([
    ['broken JSON', '{"jsonrpc":', 400, -32700],
    ['a batch', '[]', 200, -32600],
    ['no method', '{"jsonrpc":"2.0","id":1}', 200, -32600],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"nope","params":{}}', 200, -32601],
    ['params that are a list', '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":[]}', 200, -32602],
    [
      'a part that is null',
      '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"parts":[null]}}}',
      200,
      -32602,
    ],
  ])('JSON-RPC: %s', async (_name, body, status, code) => {
    const response = await post(`${base}/`, body, { 'a2a-version': '1.0' });
    expect([response.status, await response.json()]).toMatchObject([status, { jsonrpc: '2.0', error: { code } }]);
  });

  test.each([
    ['broken JSON', 'message:send', '{'],
    ['a body that is no object', 'message:send', '5'],
    ['a body that is no object, for a tenant', 'tenant/message:send', '5'],
    ['a part that is null', 'message:send', '{"message":{"parts":[null]}}'],
    ['a path that cannot be decoded', 'tasks/%zz:cancel', '{}'],
  ])('HTTP+JSON: %s', async (_name, path, body) => {
    const response = await post(`${base}/a2a/rest/${path}`, body, { 'a2a-version': '1.0' });
    expect([response.status, await response.json()]).toMatchObject([400, { error: { status: 'INVALID_ARGUMENT' } }]);
  });

  test('a media type that the card does not name is refused', async () => {
    const message = { messageId: nextId(), role: 'ROLE_USER', parts: [{ text: 'x', mediaType: 'image/png' }] };
    expect((await rpc('SendMessage', { message })).error.code).toBe(-32005);
  });

  test('a v0.3 stream that fails is an event stream too, because its clients take nothing else', async () => {
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'message/stream',
      params: { message: toOld({ text: 'x', taskId: 'no' }) },
    };
    const response = await post(`${base}/`, body);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    for await (const { data } of eventsOf(response)) expect(data).toMatchObject({ error: { code: -32001 } });
  });
});

describe('versions', () => {
  test('3.6.1 as a query parameter', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'none' } };
    const response = await post(`${base}/?A2A-Version=1.0`, body);
    expect(await response.json()).toMatchObject({ error: { code: -32001 } });
  });

  test.each([
    ['no header', {}, 'message/send'],
    ['an empty header', { 'a2a-version': '' }, 'message/send'],
    ['0.3', { 'a2a-version': '0.3' }, 'message/send'],
  ])('3.6.2 %s is v0.3', async (_name, headers, method) => {
    const answer = await rpc(method, { message: toOld({ text: 'hello' }) }, headers);
    expect(answer.result).toMatchObject({ kind: 'task' });
  });

  test('a method of v1.0 alone says its version, and a header says it louder', async () => {
    const params = { message: toNew({ text: 'hello' }) };
    expect((await rpc('SendMessage', params, {})).result).toHaveProperty('task');
    expect((await rpc('SendMessage', params, { 'a2a-version': '0.3' })).error.code).toBe(-32601);
  });

  test('1.0 does not know the methods of v0.3', async () => {
    expect((await rpc('message/send', {})).error.code).toBe(-32601);
  });
});

describe('extensions', () => {
  test.each([
    ['the header', { 'a2a-extensions': extensionUri }, {}],
    ['the header of v0.3', { 'x-a2a-extensions': extensionUri }, {}],
    ['the message', {}, { extensions: [extensionUri] }],
    ['a key of the metadata', {}, { metadata: { [extensionUri]: {} } }],
  ])('4.6 activated by %s and echoed, on streams and answers', async (_name, headers, more) => {
    for (const method of ['SendMessage', 'SendStreamingMessage']) {
      const params = { message: { ...toNew({ text: 'hello' }), ...more } };
      const sent = { 'a2a-version': '1.0', ...headers };
      const response = await post(`${base}/`, { jsonrpc: '2.0', id: 1, method, params }, sent);
      expect(response.headers.get('a2a-extensions')).toBe(extensionUri);
      const text = await response.text();
      if (method === 'SendStreamingMessage') expect(text).toContain('TEXT_CONTENT');
    }
  });

  test('without it nothing of it is sent', async () => {
    const response = await post(
      `${base}/`,
      { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message: toNew({ text: 'hello' }) } },
      { 'a2a-version': '1.0' },
    );
    expect(response.headers.get('a2a-extensions')).toBeNull();
    expect(await response.text()).not.toContain('TEXT_CONTENT');
  });
});

describe('8 agent card', () => {
  test('without a version it is v0.3 and v1.0 in one, at both addresses', async () => {
    for (const path of ['agent-card.json', 'agent.json']) {
      const card = (await (await fetch(`${base}/.well-known/${path}`)).json()) as Json;
      expect(card).toMatchObject({ url: `${base}/`, preferredTransport: 'JSONRPC', protocolVersion: '0.3' });
      expect(card['supportedInterfaces']).toMatchObject([
        { protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        {},
        {},
        {},
        {},
        {},
        {},
      ]);
    }
  });

  test('for v1.0 it is v1.0 alone, also at /v1', async () => {
    const asked = await fetch(`${base}/.well-known/agent-card.json`, { headers: { 'a2a-version': '1.0' } });
    const pure = await (await fetch(`${base}/v1/.well-known/agent-card.json`)).json();
    expect(await asked.json()).toEqual(pure);
    expect(pure).not.toHaveProperty('url');
    expect(asked.headers.get('cache-control')).toContain('max-age');
  });
});

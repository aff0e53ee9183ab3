import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extensionUri } from '../../src/protocols/development-tool/extension.js';
import {
  all,
  eventsOf,
  type Json,
  nextId,
  post,
  type Seen,
  toNew,
  toOld,
  type Transport,
} from '../support/a2a-transports.js';
import { type Checklist, failure, later, openChecklist } from '../support/checklist.js';

let base = '';
let checklist: Checklist;
beforeAll(async () => {
  checklist = await openChecklist();
  ({ base } = checklist);
});
afterAll(() => checklist.close());
const on = (name: string): Transport => checklist.on(name);

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

describe('3.1.4 ListTasks', () => {
  const contextId = `list-${nextId()}`;
  beforeAll(async () => {
    for (let n = 0; n < 5; n++) await on('JSON-RPC v1.0').send({ text: `hello ${n}`, contextId });
  });

  test('pages are complete, newest first, and the last has an empty token', async () => {
    const ids: unknown[] = [];
    let pageToken = '';
    do {
      const { result } = await rpc('ListTasks', { contextId, pageSize: 2, pageToken });
      const { tasks, nextPageToken } = result as { tasks: { id: string }[]; nextPageToken: string };
      expect(result).toMatchObject({ totalSize: 5, pageSize: 2 });
      ids.push(...tasks.map(({ id }) => id));
      pageToken = nextPageToken;
    } while (pageToken !== '');
    expect(new Set(ids).size).toBe(5);
  });

  test('artifacts only when asked for, on JSON-RPC and HTTP+JSON alike', async () => {
    const { result } = await rpc('ListTasks', { contextId });
    const query = `${base}/a2a/rest/tasks?contextId=${contextId}&includeArtifacts=true&pageSize=1`;
    const asked = (await (await fetch(query, { headers: { 'a2a-version': '1.0' } })).json()) as Json;
    expect(JSON.stringify(result)).not.toContain('artifacts');
    expect(asked).toMatchObject({ tasks: [{ artifacts: [{ artifactId: 'answer' }] }], totalSize: 5 });
  });

  test('filters by status and time', async () => {
    const none = await rpc('ListTasks', { contextId, status: 'TASK_STATE_WORKING' });
    const future = await rpc('ListTasks', { contextId, statusTimestampAfter: '2999-01-01T00:00:00Z' });
    expect([none.result['totalSize'], future.result['totalSize']]).toEqual([0, 0]);
  });

  test.each([
    ['pageSize 0', { pageSize: 0 }],
    ['pageSize 101', { pageSize: 101 }],
    ['a foreign token', { pageToken: 'abc' }],
    ['a status that does not exist', { status: 'TASK_STATE_SLEEPING' }],
    ['a negative historyLength', { historyLength: -1 }],
    ['a time that is none', { statusTimestampAfter: 'yesterday' }],
  ])('%s is malformed', async (_name, params) => {
    expect((await rpc('ListTasks', params)).error.code).toBe(-32602);
  });
});

describe('3.1.7 - 3.1.10 webhooks of a task', () => {
  const url = 'http://127.0.0.1:9/hook';

  test('v1.0 JSON-RPC: created, read, listed, deleted, and deleting again is no mistake', async () => {
    const { id: taskId = '' } = await on('JSON-RPC v1.0').send({ text: 'hold' }, later);
    const config = { taskId, id: 'mine', url, token: 't' };
    expect((await rpc('CreateTaskPushNotificationConfig', config)).result).toMatchObject(config);
    expect((await rpc('GetTaskPushNotificationConfig', { taskId, id: 'mine' })).result).toMatchObject(config);
    expect((await rpc('ListTaskPushNotificationConfigs', { taskId })).result).toMatchObject({ configs: [config] });
    for (const _ of [1, 2])
      expect((await rpc('DeleteTaskPushNotificationConfig', { taskId, id: 'mine' })).error).toBeUndefined();
    expect((await rpc('GetTaskPushNotificationConfig', { taskId, id: 'mine' })).error.code).toBe(-32001);
  });

  test('v0.3 JSON-RPC', async () => {
    const { id = '' } = await on('JSON-RPC v0.3').send({ text: 'hold' }, later);
    const params = { taskId: id, pushNotificationConfig: { id: 'mine', url, authentication: { schemes: ['Bearer'] } } };
    expect((await rpc('tasks/pushNotificationConfig/set', params, {})).result).toMatchObject(params);
    const named = { id, pushNotificationConfigId: 'mine' };
    expect((await rpc('tasks/pushNotificationConfig/get', named, {})).result).toMatchObject(params);
    expect((await rpc('tasks/pushNotificationConfig/list', { id }, {})).result).toMatchObject([params]);
    await rpc('tasks/pushNotificationConfig/delete', named, {});
    expect((await rpc('tasks/pushNotificationConfig/list', { id }, {})).result).toEqual([]);
  });

  test('v1.0 HTTP+JSON', async () => {
    const { id = '' } = await on('HTTP+JSON v1.0').send({ text: 'hold' }, later);
    const configs = `${base}/a2a/rest/tasks/${id}/pushNotificationConfigs`;
    const headers = { 'a2a-version': '1.0' };
    expect((await post(configs, { id: 'mine', url }, headers)).status).toBe(201);
    expect(await (await fetch(`${configs}/mine`, { headers })).json()).toMatchObject({ url });
    expect((await fetch(`${configs}/mine`, { method: 'DELETE', headers })).status).toBe(204);
    expect((await fetch(`${configs}/mine`, { headers })).status).toBe(404);
  });
});

describe('errors', () => {
  test('9.5 v1.0 has ErrorInfo in data', async () => {
    const { error } = await rpc('GetTask', { id: 'none' });
    expect(error.data).toMatchObject([
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' },
    ]);
  });

  test('11.6 HTTP+JSON has google.rpc.Status', async () => {
    const response = await fetch(`${base}/a2a/rest/tasks/none`, { headers: { 'a2a-version': '1.0' } });
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { error: { code: 404, status: 'NOT_FOUND', details: [{ reason: 'TASK_NOT_FOUND' }] } },
    ]);
  });

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
    expect((await rpc('SendMessage', {}, headers)).error.code).toBe(-32601);
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

  test('3.1.11 an extended card that is not declared is unsupported', async () => {
    expect((await rpc('GetExtendedAgentCard', {})).error.code).toBe(-32004);
  });
});

describe('Last-Event-ID', () => {
  const headers = { 'a2a-extensions': extensionUri };
  test.each(['JSON-RPC v1.0', 'JSON-RPC v0.3', 'HTTP+JSON v1.0', 'HTTP+JSON v0.3'])(
    '%s: a stream that was cut goes on without loss or repeat',
    async (name) => {
      const sending = on(name).stream({ text: 'count 60' }, { headers });
      const before: Seen[] = [];
      for await (const event of sending) {
        before.push(event);
        if (before.length === 10) break;
      }
      const last = before.at(-1)?.eventId ?? 0;
      const id = before[0]?.id ?? '';
      const [task, ...after] = await all(on(name).subscribe(id, { ...headers, 'last-event-id': String(last) }));
      expect([task?.what, task?.eventId]).toEqual(['task', last]);
      const texts = [...before, ...after].flatMap(({ what, texts: said }) => (what === 'status' ? said : []));
      expect(texts.slice(0, 60)).toEqual(Array.from({ length: 60 }, (_, index) => `${60 - index} `));
      expect(after.map(({ eventId }) => eventId)).toEqual(after.map((_, index) => last + 1 + index));
    },
  );

  test('a cursor that is not of this session is refused, not guessed', async () => {
    const { id = '' } = await on('JSON-RPC v1.0').send({ text: 'hold' }, later);
    for (const name of ['JSON-RPC v1.0', 'HTTP+JSON v1.0'])
      // The first event is enough: a stream that was opened all the same would never end.
      expect([-32056, 410]).toContain(
        (await failure(on(name).subscribe(id, { 'last-event-id': '99999' }).next())).code,
      );
  });
});

import { LegacyA2AService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { type Client, credentials, Metadata, type MethodDefinition } from '@grpc/grpc-js';
import { makeGenericClientConstructor } from '@grpc/grpc-js';
import { ListTasksRequest, SendMessageRequest } from '@a2a-js/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { toNew, toOld } from '../support/a2a/messages.js';
import { waitingShell } from '../support/manual-engine.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { WireClient } from '../support/wire-client.js';

type Needs = 'public' | 'view' | 'prompt' | 'approve' | 'admin';
type Verdict = 'served' | 'broken' | 'token-required' | 'scope-missing';
type Call = (token: string | undefined) => Promise<Verdict>;

const callers = ['nobody', 'view', 'prompt', 'approve', 'admin'] as const;
const servedTo: Readonly<Record<Needs, readonly string[]>> = {
  public: ['nobody', 'view', 'prompt', 'approve', 'admin'],
  view: ['view', 'prompt', 'approve', 'admin'],
  prompt: ['prompt', 'admin'],
  approve: ['approve', 'admin'],
  admin: ['admin'],
};

let hub: ServedHub;
const tokens: Partial<Record<string, string>> = {};

beforeAll(async () => {
  const folder = new TokenFolder(temporaryFolder());
  for (const scope of ['view', 'prompt', 'approve', 'admin'] as const)
    tokens[scope] = await folder.create({ name: scope, scopes: [scope] });
  hub = await serveHub({}, { grpcPort: 0, requireToken: true, auth: { authenticators: [folder] } });
});
afterAll(() => hub.stop());

/** Messages for a task that is not there: what is looked at first is whether they may be sent at all. */
const prompt = { taskId: 'nowhere', text: 'hello' };
const answer = { taskId: 'nowhere', data: { tool_call_id: 'call-1', selected_option_id: 'proceed_once' } };
const endpoint = (content: object) => ({ message: { content } });
const confirmation = { data: { kind: 'TOOL_CALL_CONFIRMATION', ...answer.data } };
const task = { id: 'nowhere', taskId: 'nowhere' };

const http =
  (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Call =>
  async (token) => {
    const response = await fetch(`${hub.base}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers, ...bearer(token) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await response.body?.cancel();
    if (response.status === 401) return 'token-required';
    if (response.status >= 500) return 'broken';
    return response.status === 403 ? 'scope-missing' : 'served';
  };

const rpc = (method: string, params: unknown = task): Call =>
  http('POST', '/', { jsonrpc: '2.0', id: 1, method, params });
const rpc1 = (method: string, params: unknown = task): Call =>
  http('POST', '/', { jsonrpc: '2.0', id: 1, method, params }, { 'a2a-version': '1.0' });
const rest1 = (method: string, path: string, body?: unknown): Call =>
  http(method, `/a2a/rest${path}`, body, { 'a2a-version': '1.0' });
const rest = (method: string, path: string, body?: unknown): Call => http(method, `/a2a/rest/v1${path}`, body);

const grpc =
  (service: typeof A2AService | typeof LegacyA2AService, method: string, request: unknown = {}): Call =>
  (token) =>
    new Promise((resolve) => {
      const Service = makeGenericClientConstructor(service, 'A2A');
      const client: Client = new Service(`127.0.0.1:${hub.server.grpcPort}`, credentials.createInsecure());
      const metadata = new Metadata();
      if (service === A2AService) metadata.set('a2a-version', '1.0');
      for (const [key, value] of Object.entries(bearer(token))) metadata.set(key, value);
      const { path, requestSerialize, responseDeserialize, responseStream } = Reflect.get(
        service,
        method,
      ) as MethodDefinition<unknown, unknown>;
      const done = (code: number | undefined): void => {
        client.close();
        resolve(code === 16 ? 'token-required' : code === 7 ? 'scope-missing' : code === 13 ? 'broken' : 'served');
      };
      if (responseStream) {
        const stream = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request, metadata);
        stream.on('data', () => done(0));
        stream.on('error', (error: Error & { code: number }) => done(error.code));
      } else
        client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, metadata, (error) =>
          done(error?.code),
        );
    });

const socketAt =
  (path: '/ws' | '/acp') =>
  (method: string, params: unknown = {}): Call =>
  async (token) => {
    const url = `ws://127.0.0.1:${hub.server.port}${path}${token === undefined ? '' : `?token=${token}`}`;
    const client = await WireClient.connect(url).catch((error: Error) => error);
    if (client instanceof Error) return /401/.test(client.message) ? 'token-required' : 'scope-missing';
    const reply = await client.call(method, params);
    client.close();
    return (reply['error'] as { code?: number } | undefined)?.code === -32070 ? 'scope-missing' : 'served';
  };
const socket = socketAt('/ws');
const acp = socketAt('/acp');
const acpHttp = (message: object): Call => http('POST', '/acp', { jsonrpc: '2.0', id: 1, ...message });

function bearer(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

const push = { taskId: 'nowhere', url: 'https://example.com/hook' };

const operations: [string, Needs, Call][] = [
  ['GET agent card', 'public', http('GET', '/.well-known/agent-card.json')],
  ['HEAD agent card', 'public', http('HEAD', '/.well-known/agent-card.json')],
  ['GET old agent card', 'public', http('GET', '/.well-known/agent.json')],
  ['GET v1 agent card', 'public', http('GET', '/v1/.well-known/agent-card.json')],
  ['GET keys of the card', 'public', http('GET', '/.well-known/jwks.json')],
  ['GET openapi.json', 'view', http('GET', '/openapi.json')],
  ['GET asyncapi.json', 'view', http('GET', '/asyncapi.json')],
  ['POST agent card', 'admin', http('POST', '/.well-known/agent-card.json', {})],

  ['POST /tasks', 'prompt', http('POST', '/tasks', {})],
  ['GET /tasks/{id}', 'view', http('GET', '/tasks/session-1')],
  ['POST cancel', 'prompt', http('POST', '/tasks/session-1/cancel', {})],
  [
    'POST messages/stream with a prompt',
    'prompt',
    http('POST', '/tasks/session-1/messages/stream?after=x', endpoint({ text: 'hi' })),
  ],
  [
    'POST messages/stream with an answer',
    'approve',
    http('POST', '/tasks/session-1/messages/stream?after=x', endpoint(confirmation)),
  ],
  ['GET what is not there', 'admin', http('GET', '/nothing')],
  ['GET a path that only looks public', 'admin', http('GET', '/openapi.json/..%2fx')],
  ['GET a task by a path with backslashes', 'view', http('GET', '/tasks/..%5chealth')],

  ['JSON-RPC 0.3 message/send prompt', 'prompt', rpc('message/send', { message: toOld(prompt) })],
  ['JSON-RPC 0.3 message/send answer', 'approve', rpc('message/send', { message: toOld(answer) })],
  ['JSON-RPC 0.3 message/stream prompt', 'prompt', rpc('message/stream', { message: toOld(prompt) })],
  ['JSON-RPC 0.3 message/stream answer', 'approve', rpc('message/stream', { message: toOld(answer) })],
  ['JSON-RPC 0.3 tasks/get', 'view', rpc('tasks/get')],
  ['JSON-RPC 0.3 tasks/resubscribe', 'view', rpc('tasks/resubscribe')],
  ['JSON-RPC 0.3 tasks/cancel', 'prompt', rpc('tasks/cancel')],
  [
    'JSON-RPC 0.3 push set',
    'prompt',
    rpc('tasks/pushNotificationConfig/set', { taskId: 'nowhere', pushNotificationConfig: push }),
  ],
  ['JSON-RPC 0.3 push get', 'prompt', rpc('tasks/pushNotificationConfig/get')],
  ['JSON-RPC 0.3 push list', 'prompt', rpc('tasks/pushNotificationConfig/list')],
  ['JSON-RPC 0.3 push delete', 'prompt', rpc('tasks/pushNotificationConfig/delete')],
  ['JSON-RPC 0.3 extended card', 'view', rpc('agent/getAuthenticatedExtendedCard')],
  ['JSON-RPC commands/get', 'view', rpc('commands/get', {})],
  ['JSON-RPC command/execute', 'admin', rpc('command/execute', { command_path: ['quit'] })],
  ['JSON-RPC unknown method', 'admin', rpc('tasks/destroy')],
  ['JSON-RPC __proto__', 'admin', rpc('__proto__')],
  ['JSON-RPC 1.0 SendMessage prompt', 'prompt', rpc1('SendMessage', { message: toNew(prompt) })],
  ['JSON-RPC 1.0 SendMessage answer', 'approve', rpc1('SendMessage', { message: toNew(answer) })],
  ['JSON-RPC 1.0 SendStreamingMessage prompt', 'prompt', rpc1('SendStreamingMessage', { message: toNew(prompt) })],
  ['JSON-RPC 1.0 SendStreamingMessage answer', 'approve', rpc1('SendStreamingMessage', { message: toNew(answer) })],
  ['JSON-RPC 1.0 GetTask', 'view', rpc1('GetTask')],
  ['JSON-RPC 1.0 ListTasks', 'view', rpc1('ListTasks', {})],
  ['JSON-RPC 1.0 SubscribeToTask', 'view', rpc1('SubscribeToTask')],
  ['JSON-RPC 1.0 CancelTask', 'prompt', rpc1('CancelTask')],
  ['JSON-RPC 1.0 CreateTaskPushNotificationConfig', 'prompt', rpc1('CreateTaskPushNotificationConfig', push)],
  ['JSON-RPC 1.0 ListTaskPushNotificationConfigs', 'prompt', rpc1('ListTaskPushNotificationConfigs')],
  ['JSON-RPC 1.0 GetExtendedAgentCard', 'view', rpc1('GetExtendedAgentCard', {})],

  ['REST 1.0 message:send prompt', 'prompt', rest1('POST', '/message:send', { message: toNew(prompt) })],
  ['REST 1.0 message:send answer', 'approve', rest1('POST', '/message:send', { message: toNew(answer) })],
  ['REST 1.0 message:stream prompt', 'prompt', rest1('POST', '/message:stream', { message: toNew(prompt) })],
  ['REST 1.0 message:stream answer', 'approve', rest1('POST', '/message:stream', { message: toNew(answer) })],
  ['REST 1.0 tasks', 'view', rest1('GET', '/tasks')],
  ['REST 1.0 task', 'view', rest1('GET', '/tasks/nowhere')],
  ['REST 1.0 subscribe', 'view', rest1('POST', '/tasks/nowhere:subscribe', {})],
  ['REST 1.0 cancel', 'prompt', rest1('POST', '/tasks/nowhere:cancel', {})],
  ['REST 1.0 create push', 'prompt', rest1('POST', '/tasks/nowhere/pushNotificationConfigs', push)],
  ['REST 1.0 list push', 'prompt', rest1('GET', '/tasks/nowhere/pushNotificationConfigs')],
  ['REST 1.0 get push', 'prompt', rest1('GET', '/tasks/nowhere/pushNotificationConfigs/1')],
  ['REST 1.0 delete push', 'prompt', rest1('DELETE', '/tasks/nowhere/pushNotificationConfigs/1')],
  ['REST 1.0 extended card', 'view', rest1('GET', '/extendedAgentCard')],
  ['REST 1.0 of a tenant', 'admin', rest1('GET', '/tenant/tasks')],
  [
    'REST 0.3 message:send prompt',
    'prompt',
    rest('POST', '/message:send', { message: { ...toNew(prompt), content: [{ text: 'hi' }] } }),
  ],
  ['REST 0.3 task', 'view', rest('GET', '/tasks/nowhere')],
  ['REST 0.3 cancel', 'prompt', rest('POST', '/tasks/nowhere:cancel', {})],
  ['REST 0.3 card', 'view', rest('GET', '/card')],

  [
    'gRPC 1.0 SendMessage prompt',
    'prompt',
    grpc(A2AService, 'sendMessage', SendMessageRequest.fromJSON({ message: toNew(prompt) })),
  ],
  [
    'gRPC 1.0 SendMessage answer',
    'approve',
    grpc(A2AService, 'sendMessage', SendMessageRequest.fromJSON({ message: toNew(answer) })),
  ],
  [
    'gRPC 1.0 SendStreamingMessage prompt',
    'prompt',
    grpc(A2AService, 'sendStreamingMessage', SendMessageRequest.fromJSON({ message: toNew(prompt) })),
  ],
  [
    'gRPC 1.0 SendStreamingMessage answer',
    'approve',
    grpc(A2AService, 'sendStreamingMessage', SendMessageRequest.fromJSON({ message: toNew(answer) })),
  ],
  ['gRPC 1.0 GetTask', 'view', grpc(A2AService, 'getTask', { id: 'nowhere' })],
  ['gRPC 1.0 ListTasks', 'view', grpc(A2AService, 'listTasks', ListTasksRequest.fromJSON({}))],
  ['gRPC 1.0 SubscribeToTask', 'view', grpc(A2AService, 'subscribeToTask', { id: 'nowhere' })],
  ['gRPC 1.0 CancelTask', 'prompt', grpc(A2AService, 'cancelTask', { id: 'nowhere' })],
  ['gRPC 1.0 CreateTaskPushNotificationConfig', 'prompt', grpc(A2AService, 'createTaskPushNotificationConfig', push)],
  ['gRPC 1.0 GetExtendedAgentCard', 'view', grpc(A2AService, 'getExtendedAgentCard', {})],
  ['gRPC 0.3 GetTask', 'view', grpc(LegacyA2AService, 'getTask', { name: 'tasks/nowhere', historyLength: 0 })],
  ['gRPC 0.3 TaskSubscription', 'view', grpc(LegacyA2AService, 'taskSubscription', { name: 'tasks/nowhere' })],
  ['gRPC 0.3 CancelTask', 'prompt', grpc(LegacyA2AService, 'cancelTask', { name: 'tasks/nowhere' })],
  ['gRPC 0.3 GetAgentCard', 'view', grpc(LegacyA2AService, 'getAgentCard', {})],

  ['/ws message/stream prompt', 'prompt', socket('message/stream', { ...endpoint({ text: 'hi' }), taskId: 'nowhere' })],
  ['/ws message/stream answer', 'approve', socket('message/stream', endpoint(confirmation))],
  ['/ws message/send prompt', 'prompt', socket('message/send', { ...endpoint({ text: 'hi' }), taskId: 'nowhere' })],
  ['/ws tasks/get', 'view', socket('tasks/get')],
  ['/ws tasks/resubscribe', 'view', socket('tasks/resubscribe')],
  ['/ws tasks/cancel', 'prompt', socket('tasks/cancel')],
  ['/ws commands/get', 'view', socket('commands/get')],
  ['/ws command/execute', 'admin', socket('command/execute', { command_path: ['quit'] })],
  ['/ws unknown method', 'admin', socket('tasks/destroy')],

  ['ACP initialize', 'view', acp('initialize', { protocolVersion: 1 })],
  ['ACP session/list', 'view', acp('session/list')],
  ['ACP session/load', 'view', acp('session/load', { sessionId: 'nowhere', cwd: '/', mcpServers: [] })],
  ['ACP session/new', 'prompt', acp('session/new', { cwd: '/', mcpServers: [] })],
  ['ACP session/prompt', 'prompt', acp('session/prompt', { sessionId: 'nowhere', prompt: [] })],
  ['ACP session/set_mode', 'admin', acp('session/set_mode', { sessionId: 'nowhere', modeId: 'yolo' })],
  ['ACP unknown method', 'admin', acp('session/destroy')],
  ['ACP over HTTP session/list', 'view', acpHttp({ method: 'session/list', params: {} })],
  ['ACP over HTTP session/prompt', 'prompt', acpHttp({ method: 'session/prompt', params: {} })],
  ['ACP over HTTP an answer', 'approve', acpHttp({ result: { outcome: { outcome: 'cancelled' } } })],
];

describe('who may do what', () => {
  test.each(operations)('%s needs %s', async (_name, needs, call) => {
    const verdicts: Record<string, Verdict> = {};
    for (const caller of callers) verdicts[caller] = await call(tokens[caller]);
    const expected = callers.map((caller): [string, Verdict] => {
      if (servedTo[needs].includes(caller)) return [caller, 'served'];
      return [caller, caller === 'nobody' ? 'token-required' : 'scope-missing'];
    });
    expect(verdicts).toEqual(Object.fromEntries(expected));
  });
});

describe('ACP', () => {
  test('a slash command in a prompt needs what a slash command needs', async () => {
    const replies = [];
    for (const scope of ['prompt', 'admin']) {
      const client = await WireClient.connect(`ws://127.0.0.1:${hub.server.port}/acp?token=${tokens[scope]}`);
      await client.call('initialize', { protocolVersion: 1 });
      const { result } = await client.call('session/new', { cwd: '/', mcpServers: [] });
      const { sessionId } = result as { sessionId: string };
      const asking = client.call('session/prompt', { sessionId, prompt: [{ type: 'text', text: '/stats' }] });
      if (scope === 'admin') {
        await until(() => hub.engine.started.length);
        hub.engine.end();
      }
      replies.push(await asking);
      client.close();
    }
    expect(replies).toMatchObject([
      { error: { message: expect.stringContaining('needs the scope admin') as string } },
      { result: { stopReason: 'end_turn' } },
    ]);
  });

  test('an answer of somebody who may not approve is not heard', async () => {
    hub.engine.report({ type: 'started', text: 'work', origin: { surface: 'tui' } });
    const clients = [];
    for (const scope of ['prompt', 'approve']) {
      const client = await WireClient.connect(`ws://127.0.0.1:${hub.server.port}/acp?token=${tokens[scope]}`);
      await client.call('initialize', { protocolVersion: 1 });
      await client.call('session/load', { sessionId: 'session-1', cwd: '/', mcpServers: [] });
      clients.push(client);
    }
    hub.engine.report({ type: 'tool', call: waitingShell() });
    for (const client of clients) {
      const { id, params } = await client.find(({ method }) => method === 'session/request_permission');
      const [option] = (params as { options: { optionId: string }[] }).options;
      const outcome = { outcome: 'selected', optionId: option?.optionId };
      client.socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: { outcome } }));
      // Frames of one socket are handled in order: once this is answered, so is what came before it.
      await client.call('session/list');
      if (client === clients[0]) expect(hub.engine.answered).toEqual([]);
    }
    await until(() => hub.engine.answered.length);
    expect(hub.engine.answered).toMatchObject([{ callId: 'call-1' }]);
    hub.engine.end();
    for (const client of clients) client.close();
  });
});

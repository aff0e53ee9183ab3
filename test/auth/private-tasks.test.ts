import {
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTasksRequest,
  SendMessageRequest,
  SubscribeToTaskRequest,
} from '@a2a-js/sdk';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { type Client, credentials, makeGenericClientConstructor, Metadata, type MethodDefinition } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { memoryStore } from '../../src/stores/memory.js';
import { toNew, toOld } from '../support/a2a/messages.js';
import { AcpClient } from '../support/acp-client.js';
import { waitingShell } from '../support/manual-engine.js';
import { serveRegistry } from '../support/served-registry.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { WireClient } from '../support/wire-client.js';

type Verdict = 'found' | 'hidden';
type Call = (token: string) => Promise<Verdict>;

const store = memoryStore();
const workspace = temporaryFolder();
const tokens: Record<string, string> = {};
let served: Awaited<ReturnType<typeof serveRegistry>>;
let turnId = '';

beforeAll(async () => {
  const folder = new TokenFolder(temporaryFolder());
  for (const name of ['ada', 'bob']) tokens[name] = await folder.create({ name, scopes: ['prompt', 'approve'] });
  tokens['root'] = await folder.create({ name: 'root', scopes: ['admin'] });
  const settings = { requireToken: true, grpcPort: 0, auth: { authenticators: [folder] }, arePrivate: true };
  served = await serveRegistry({ workspace, store }, settings);
  const created = await http('POST', 'tasks', { contextId: 'mine' })(tokens['ada'] ?? '');
  expect(created).toBe('found');
  await store.saveArtifact(
    'mine',
    { name: 'a.txt', mediaType: 'text/plain', size: 1, createdAt: new Date().toISOString() },
    Buffer.from('a'),
  );
  // The task works for as long as the test lasts.
  await http('POST', 'message/stream', { contextId: 'mine', userMessage: { kind: 'text-content', text: 'go' } })(
    tokens['ada'] ?? '',
  );
  const session = await served.registry.get('mine');
  turnId = session?.eventsAfter(0).find((event) => event.type === 'turn')?.turnId ?? '';
});
afterAll(() => served.stop());

const nothing = /there is no (task|context)|unknown-task|-32001|not found/i;

/** What is said of the task in the beginning of the answer, or that there is none. */
function verdictOf(text: string): Verdict {
  if (nothing.test(text)) return 'hidden';
  const isList = text.startsWith('[') || text.includes('tasks"');
  return isList && !text.includes('mine') ? 'hidden' : 'found';
}

function http(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Call {
  return async (token) => {
    const response = await fetch(`${served.server.url}${path.replace('TURN', turnId)}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body).replaceAll('TURN', turnId) }),
    });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    await reader?.cancel();
    return verdictOf(Buffer.from(first?.value ?? []).toString());
  };
}

/** A list that is empty for those who may not see the task. */
const listed =
  (call: (token: string) => Promise<unknown>): Call =>
  async (token) =>
    JSON.stringify(await call(token)).includes('mine') ? 'found' : 'hidden';
const get = async (path: string, token: string): Promise<unknown> =>
  (await fetch(`${served.server.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).json();

const rpc = (method: string, params: unknown): Call => http('POST', '', { jsonrpc: '2.0', id: 1, method, params });
const rpc1 = (method: string, params: unknown): Call =>
  http('POST', '', { jsonrpc: '2.0', id: 1, method, params }, { 'a2a-version': '1.0' });
const rest1 = (method: string, path: string, body?: unknown): Call =>
  http(method, `a2a/rest${path}`, body, { 'a2a-version': '1.0' });

const grpc =
  (method: string, request: () => unknown): Call =>
  (token) =>
    new Promise((resolve) => {
      const Service = makeGenericClientConstructor(A2AService, 'A2A');
      const client: Client = new Service(`127.0.0.1:${served.server.grpcPort}`, credentials.createInsecure());
      const metadata = new Metadata();
      metadata.set('a2a-version', '1.0');
      metadata.set('authorization', `Bearer ${token}`);
      const { path, requestSerialize, responseDeserialize, responseStream } = Reflect.get(
        A2AService,
        method,
      ) as MethodDefinition<unknown, unknown>;
      const done = (verdict: Verdict): void => {
        client.close();
        resolve(verdict);
      };
      const failed = ({ code }: { code?: number }): void => done(code === 5 ? 'hidden' : 'found');
      if (responseStream) {
        const stream = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request(), metadata);
        stream.on('data', () => done('found'));
        stream.on('error', failed);
      } else
        client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request(), metadata, (error, answer) =>
          error ? failed(error) : done(verdictOf(JSON.stringify(answer))),
        );
    });

const socket =
  (protocol: string): Call =>
  async (token) => {
    const url = `ws://127.0.0.1:${served.server.port}/ws?taskId=mine&protocol=${protocol}&token=${token}`;
    const client = await WireClient.connect(url).catch((error: Error) => error);
    if (client instanceof Error) return /404/.test(client.message) ? 'hidden' : 'found';
    client.close();
    return 'found';
  };

const acp =
  (address: 'ws' | 'http', act: (client: AcpClient) => Promise<unknown>): Call =>
  async (token) => {
    const client = await AcpClient.connect(`${address}://127.0.0.1:${served.server.port}/acp`, {
      headers: { authorization: `Bearer ${token}` },
      join: false,
    });
    const answer = await act(client).then(JSON.stringify, (error: Error) => `there is no task: ${error.message}`);
    client.close();
    return verdictOf(answer);
  };

const text = { kind: 'text-content', text: 'more' };
const answer = { kind: 'tool-call-confirmation', toolCallId: 'no-call', approved: true };
const hook = { url: 'https://example.com/hook' };
const later = { configuration: { blocking: false } };

const operations: [string, Call][] = [
  ['GET /tasks', listed((token) => get('tasks', token))],
  ['GET /tasks/metadata', listed((token) => get('tasks/metadata', token))],
  ['GET /tasks/{id}', http('GET', 'tasks/mine')],
  ['GET /tasks/{id}/metadata', http('GET', 'tasks/mine/metadata')],
  ['GET /tasks/{id}/artifacts', http('GET', 'tasks/mine/artifacts')],
  ['GET /tasks/{id}/artifacts/{name}', http('GET', 'tasks/mine/artifacts/a.txt')],
  ['POST /tasks with its id', http('POST', 'tasks', { contextId: 'mine' })],
  ['POST /message/stream, a prompt', http('POST', 'message/stream', { taskId: 'mine', userMessage: text })],
  ['POST /message/stream, a context', http('POST', 'message/stream', { contextId: 'mine', userMessage: text })],
  ['POST /message/stream, an answer', http('POST', 'message/stream', { taskId: 'mine', userMessage: answer })],
  ['POST execute', http('POST', 'tasks/mine/execute', { message: answer })],
  ['POST messages/stream', http('POST', 'tasks/mine/messages/stream', { message: { content: { text: 'more' } } })],

  ['message/send to a context', rpc('message/send', { message: toOld({ contextId: 'mine', text: 'more' }), ...later })],
  ['message/stream to a task', rpc('message/stream', { message: toOld({ taskId: 'mine', text: 'more' }) })],
  ['tasks/get', rpc('tasks/get', { id: 'TURN' })],
  ['tasks/resubscribe', rpc('tasks/resubscribe', { id: 'TURN' })],
  [
    'pushNotificationConfig/set',
    rpc('tasks/pushNotificationConfig/set', { taskId: 'TURN', pushNotificationConfig: hook }),
  ],
  ['pushNotificationConfig/list', rpc('tasks/pushNotificationConfig/list', { id: 'TURN' })],
  [
    'pushNotificationConfig/delete',
    rpc('tasks/pushNotificationConfig/delete', { id: 'TURN', pushNotificationConfigId: 'x' }),
  ],
  ['commands/get', rpc('commands/get', { contextId: 'mine' })],
  ['GetTask', rpc1('GetTask', { id: 'TURN' })],
  ['ListTasks', rpc1('ListTasks', {})],
  ['ListTasks of the context', rpc1('ListTasks', { contextId: 'mine' })],

  ['REST tasks', rest1('GET', '/tasks')],
  ['REST task', rest1('GET', '/tasks/TURN')],
  ['REST send', rest1('POST', '/message:stream', { message: toNew({ contextId: 'mine', text: 'more' }) })],
  ['REST subscribe', rest1('GET', '/tasks/TURN:subscribe')],
  ['REST webhooks', rest1('GET', '/tasks/TURN/pushNotificationConfigs')],

  ['gRPC GetTask', grpc('getTask', () => GetTaskRequest.fromJSON({ id: turnId }))],
  ['gRPC ListTasks', grpc('listTasks', () => ListTasksRequest.fromJSON({}))],
  [
    'gRPC stream',
    grpc('sendStreamingMessage', () =>
      SendMessageRequest.fromJSON({ message: toNew({ contextId: 'mine', text: 'more' }) }),
    ),
  ],
  ['gRPC subscribe', grpc('subscribeToTask', () => SubscribeToTaskRequest.fromJSON({ id: turnId }))],
  [
    'gRPC webhooks',
    grpc('listTaskPushNotificationConfigs', () => ListTaskPushNotificationConfigsRequest.fromJSON({ taskId: turnId })),
  ],

  ['/ws, endpoint', socket('endpoint')],
  ['/ws, a2a', socket('a2a')],
  ['ACP list', acp('ws', async (client) => (await client.agent.request('session/list', {})).sessions)],
  ['ACP list over HTTP', acp('http', async (client) => (await client.agent.request('session/list', {})).sessions)],
  [
    'ACP load',
    acp('ws', (client) => client.agent.request('session/load', { sessionId: 'mine', cwd: '/', mcpServers: [] })),
  ],
  [
    'ACP resume over HTTP',
    acp('http', (client) => client.agent.request('session/resume', { sessionId: 'mine', cwd: '/', mcpServers: [] })),
  ],

  // Last: they end what the others need.
  [
    'tasks/cancel',
    (token) => {
      served.engine('mine').end();
      return rpc('tasks/cancel', { id: 'TURN' })(token);
    },
  ],
  ['POST cancel', http('POST', 'tasks/mine/cancel', {})],
];

describe('[003-11.2] with --tasks private a task is there for who made it and for admin, and for nobody else', () => {
  test.each(operations)('%s', async (_name, call) => {
    const verdicts = [];
    for (const name of ['bob', 'ada', 'root']) verdicts.push(await call(tokens[name] ?? ''));
    expect(verdicts).toEqual(['hidden', 'found', 'found']);
  });

  test('whichever way a task is made, it belongs to who made it', async () => {
    const bob = tokens['bob'] ?? '';
    const first = await AcpClient.connect(`ws://127.0.0.1:${served.server.port}/acp`, {
      headers: { authorization: `Bearer ${bob}` },
      join: false,
    });
    await first.join(workspace);
    await rpc('message/send', { message: toOld({ contextId: 'by-rpc', text: 'go' }), ...later })(bob);
    await http('POST', 'message/stream', { contextId: 'by-stream', userMessage: text })(bob);
    for (const id of [first.sessionId, 'by-rpc', 'by-stream'])
      expect(await served.registry.describe(id)).toMatchObject({ owner: 'token:bob' });
    first.close();
  });
});

test('everybody sees who prompted and who approved, and never a token', async () => {
  const [ada = '', root = ''] = [tokens['ada'], tokens['root']];
  await http('POST', 'message/stream', { contextId: 'asked', userMessage: text })(ada);
  served.engine('asked').report({ type: 'tool', call: waitingShell() });
  const url = `ws://127.0.0.1:${served.server.port}/ws?taskId=asked&protocol=endpoint&after=0&client=laptop&token=${root}`;
  const client = await WireClient.connect(url);
  await client.answer('call-1', 'proceed_once');
  const answered = await until(() =>
    client.seen.find(({ metadata }) => JSON.stringify(metadata ?? '').includes('resolvedBy')),
  );
  expect(answered['metadata']).toMatchObject({
    resolvedBy: { surface: 'a2a', client: 'laptop', principal: 'token:root' },
  });
  expect((await client.kind('USER_MESSAGE'))['origin']).toMatchObject({ surface: 'a2a', principal: 'token:ada' });
  expect(JSON.stringify(client.seen)).not.toMatch(/cos_(ada|root)_/);
  client.close();
});

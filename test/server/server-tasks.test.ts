import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { serverRoutes } from '../../src/server/routes/server.js';
import { type ServedTasks, serveTasks } from '../support/served-tasks.js';
import { until } from '../support/until.js';

let served: ServedTasks;
beforeEach(async () => {
  served = await serveTasks();
});
afterEach(() => served.stop());

const json = async (response: Response | Promise<Response>) =>
  (await (await response).json()) as Record<string, unknown>;
const refusal = async (response: Response) => [response.status, (await response.json()) as object];

describe('[003-5.1] [002-4.1] POST /tasks', () => {
  test('creates a task in a context, with the settings of either seed', async () => {
    const response = await served.post('tasks', {
      contextId: 'context-123',
      agentSettings: { workspaceRoot: '/path/to/workspace', model: 'gemini-2.0-flash-exp', apiKey: 'not read' },
    });
    const body = await json(response);
    expect([response.status, body]).toEqual([
      201,
      { taskId: expect.any(String) as string, contextId: 'context-123', state: 'submitted' },
    ]);
    expect(served.tasks.wishes).toMatchObject([
      { workspace: '/path/to/workspace', model: 'gemini-2.0-flash-exp', owner: 'owner' },
    ]);
  });

  test('without a body it works too', async () => {
    expect((await served.post('tasks', '')).status).toBe(201);
  });

  test.each([
    ['a contextId that is a number', '{"contextId":1}', 400, 'bad-request'],
    ['settings that are a list', '{"agentSettings":[]}', 400, 'bad-request'],
    ['no JSON', '{', 400, 'parse-error'],
    ['more than a mebibyte', JSON.stringify({ contextId: 'x'.repeat(1024 * 1024) }), 413, 'too-large'],
  ])('%s is refused', async (_name, body, status, code) => {
    expect(await refusal(await served.post('tasks', body))).toMatchObject([status, { error: { code } }]);
  });

  test('what is not JSON by its type is refused', async () => {
    const response = await served.post('tasks', '{}', { 'content-type': 'text/plain' });
    expect(await refusal(response)).toMatchObject([415, { error: { code: 'not-json' } }]);
  });
});

describe('[003-5.4] GET /tasks', () => {
  test('an empty server has none', async () => {
    expect(await json(served.get('tasks'))).toEqual({ tasks: [], total: 0 });
  });

  test('lists in pages, newest first, and filters', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    for (const id of ['a', 'b', 'c']) {
      await served.tasks.open(id);
      vi.advanceTimersByTime(1000);
    }
    const first = await json(served.get('tasks?limit=2'));
    expect(first).toMatchObject({
      tasks: [
        { id: 'c', contextId: 'c', state: 'submitted' },
        { id: 'b', contextId: 'b', state: 'submitted' },
      ],
      total: 3,
    });
    const second = await json(served.get(`tasks?limit=2&pageToken=${String(first['nextPageToken'])}`));
    expect(second).toMatchObject({ tasks: [{ id: 'a' }] });
    expect(second).not.toHaveProperty('nextPageToken');
    expect(await json(served.get('tasks?contextId=b'))).toMatchObject({ tasks: [{ id: 'b' }], total: 1 });
    expect(await json(served.get('tasks?state=completed'))).toMatchObject({ tasks: [] });
  });

  test.each(['limit=0', 'limit=1000', 'limit=x', 'state=lost', 'pageToken=!!', 'updatedSince=yesterday'])(
    'the query %s is refused',
    async (query) => {
      expect(await refusal(await served.get(`tasks?${query}`))).toMatchObject([
        400,
        { error: { code: 'bad-request' } },
      ]);
    },
  );
});

describe('[003-5.3] GET /tasks/:taskId', () => {
  test('tells state, history and artifacts', async () => {
    const session = await served.tasks.open('task-456');
    session.submit({ kind: 'prompt', text: 'sort a list', origin: { surface: 'a2a' } });
    const engine = await served.started('task-456');
    engine.say('Here');
    engine.end();
    const createdAt = new Date().toISOString();
    const entry = { name: 'src/sort.py', mediaType: 'text/x-python', size: 4, createdAt };
    await served.tasks.store.saveArtifact('task-456', entry, Buffer.from('pass'));
    expect(await json(served.get('tasks/task-456'))).toMatchObject({
      id: 'task-456',
      contextId: 'task-456',
      state: 'completed',
      status: { state: 'completed' },
      timestamp: expect.stringMatching(/Z$/) as string,
      metadata: { model: 'scripted', pending: [] },
      history: [
        { role: 'user', parts: [{ text: 'sort a list' }] },
        { role: 'agent', parts: [{ text: 'Here' }] },
      ],
      artifacts: [{ ...entry, url: '/tasks/task-456/artifacts/src/sort.py' }],
    });
  });
});

describe('[002-3.2] [002-4.2] metadata', () => {
  const metadata = {
    id: 'one',
    contextId: 'one',
    taskState: 'submitted',
    model: 'scripted',
    mcpServers: [{ name: 'docs', status: 'connected', tools: [{ name: 'search' }] }],
    availableTools: [{ name: 'read_file', description: 'Reads a file', parameterSchema: { type: 'object' } }],
  };

  test('of one task and of all', async () => {
    expect(await json(served.get('tasks/metadata'))).toEqual([]);
    await served.tasks.open('one');
    expect(await json(served.get('tasks/one/metadata'))).toMatchObject({ metadata });
    expect(await json(served.get('tasks/metadata'))).toMatchObject([metadata]);
  });

  test('long lists have a token for the rest', async () => {
    await served.tasks.open('one');
    await served.tasks.open('two');
    const response = await served.get('tasks/metadata?limit=1');
    const rest = await served.get(`tasks/metadata?pageToken=${response.headers.get('x-next-page-token')}`);
    expect([...((await response.json()) as object[]), ...((await rest.json()) as object[])]).toHaveLength(2);
  });
});

describe('DELETE and cancel', () => {
  test('a removed task is gone', async () => {
    await served.tasks.open('one');
    expect((await served.remove('tasks/one')).status).toBe(204);
    expect((await served.remove('tasks/one')).status).toBe(404);
    expect((await served.get('tasks/one')).status).toBe(404);
  });

  test('what does not run cannot be cancelled', async () => {
    await served.tasks.open('one');
    expect(await refusal(await served.post('tasks/one/cancel'))).toMatchObject([
      409,
      { error: { code: 'not-cancelable' } },
    ]);
  });
});

describe('artifacts', () => {
  test('are downloads that no browser runs', async () => {
    await served.tasks.open('one');
    const createdAt = new Date().toISOString();
    const html = Buffer.from('<script>alert(1)</script>');
    const name = 'out/page “1”.html';
    await served.tasks.store.saveArtifact('one', { name, mediaType: 'text/html', size: html.length, createdAt }, html);
    const { artifacts } = (await json(served.get('tasks/one/artifacts'))) as { artifacts: { url: string }[] };
    const response = await served.get(artifacts[0]?.url.slice(1) ?? '');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(html);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'content-type': 'text/html',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    });
    expect(headers['content-disposition']).toMatch(/^attachment; filename=.*filename\*=UTF-8''page%20%E2%80%9C1/);
  });

  test.each(['nothing', '../../etc/passwd', '..%2f..%2fetc%2fpasswd', '%2e%2e/secret'])(
    'there is no %s',
    async (name) => {
      await served.tasks.open('one');
      expect((await served.get(`tasks/one/artifacts/${name}`)).status).toBe(404);
    },
  );
});

describe('[003-8] commands', () => {
  test('[002-4.2] are listed', async () => {
    expect(await json(served.get('listCommands'))).toEqual({
      commands: [
        {
          name: 'stats',
          description: 'Usage',
          arguments: [{ name: 'model', description: 'Which model', isRequired: false }],
          subCommands: [],
        },
      ],
    });
  });

  test('list-extensions answers as in the reference', async () => {
    expect(await json(served.post('executeCommand', { command: 'list-extensions', args: [] }))).toMatchObject({
      extensions: [{ name: 'my-extension', version: '1.0.0', enabled: true }],
    });
  });

  test('a command may have a slash, words as arguments, and a task', async () => {
    const body = { command: '/stats', args: 'model  tools', taskId: 'one' };
    expect(await json(served.post('executeCommand', body))).toEqual({ text: '3 turns' });
    const origin = { surface: 'a2a', client: 'node' };
    expect(served.tasks.ran).toEqual([{ command: 'stats', args: ['model', 'tools'], taskId: 'one', origin }]);
  });

  test.each([
    [{ args: [] }, 400, 'bad-request'],
    [{ command: 'quit' }, 403, 'command-refused'],
  ])('%j is refused', async (body, status, code) => {
    expect(await refusal(await served.post('executeCommand', body))).toMatchObject([status, { error: { code } }]);
  });
});

test.each([
  ['GET', 'tasks/none'],
  ['GET', 'tasks/none/metadata'],
  ['GET', 'tasks/none/artifacts'],
  ['GET', 'tasks/none/artifacts/a'],
  ['DELETE', 'tasks/none'],
  ['POST', 'tasks/none/cancel'],
  ['POST', 'tasks/none/messages/stream'],
  ['POST', 'tasks/none/execute'],
])('%s /%s: there is no such task', async (method, path) => {
  const response = await fetch(`${served.server.url}${path}`, {
    method,
    ...(method === 'POST' ? { body: '{"message":{"content":{"text":"x"}}}' } : {}),
    headers: { 'content-type': 'application/json' },
  });
  expect(await refusal(response)).toMatchObject([404, { error: { code: 'unknown-task' } }]);
});

test('[002-5] the agent card of the server', async () => {
  expect(await json(served.get('.well-known/agent-card.json'))).toMatchObject({
    name: 'Gemini SDLC Agent',
    description: 'Generates code based on instructions',
    url: served.server.url,
    capabilities: { streaming: true },
    skills: [{ id: 'code_generation', name: 'Code Generation', tags: ['code', 'development', 'programming'] }],
  });
});

test('/openapi.json has every route of a server of many tasks, the card and JSON-RPC, and no other', async () => {
  const { paths } = (await json(served.get('openapi.json'))) as { paths: Record<string, object> };
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method} ${path}`),
  );
  const routes = serverRoutes.map(
    ({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/[:*](\w+)/g, '{$1}')}`,
  );
  expect(described.toSorted()).toEqual([...routes, 'get /.well-known/agent-card.json', 'post /'].toSorted());
});

test('[003-4] tasks run at the same time, each with its own state and its own events', async () => {
  const ids = ['one', 'two', 'three'];
  for (const id of ids) await served.tasks.open(id);
  const streams = ids.map((id) => served.post(`tasks/${id}/execute`, { message: `work on ${id}` }));
  const engines = await Promise.all(ids.map((id) => served.started(id)));
  expect(await json(served.get('health'))).toMatchObject({ activeTasks: 3, totalTasks: 3 });
  engines[1]?.say('only two');
  engines[1]?.end('failed', 'no luck');
  const second = await (await streams[1])?.text();
  expect(second).toContain('only two');
  expect(await json(served.get('tasks/one'))).toMatchObject({ state: 'working' });
  expect(await json(served.get('tasks/two'))).toMatchObject({ state: 'failed' });
  engines[0]?.end();
  engines[2]?.end();
  for (const stream of [streams[0], streams[2]]) expect(await (await stream)?.text()).not.toContain('only two');
});

test('a standard A2A client talks to the same tasks', async () => {
  const message = {
    kind: 'message',
    role: 'user',
    messageId: 'm1',
    contextId: 'shared',
    parts: [{ kind: 'text', text: 'hi' }],
  };
  const asking = served.post('', { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } });
  const engine = await served.started('shared');
  const client = await served.connect('?taskId=shared&after=0');
  engine.say('hello');
  engine.end();
  expect(await json(asking)).toMatchObject({ result: { contextId: 'shared', status: { state: 'completed' } } });
  await until(() => client.text === 'hello');
  expect(await json(served.get('tasks/shared'))).toMatchObject({ state: 'completed' });
});

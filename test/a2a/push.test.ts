import { createHash, generateKeyPairSync } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pushAllUri } from '../../src/dialects/a2a/push-all.js';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { PushSender } from '../../src/server/a2a/push/push-sender.js';
import { TargetCheck } from '../../src/server/a2a/push/safe-target.js';
import { TaskBook } from '../../src/server/a2a/tasks/task-book.js';
import { post } from '../support/a2a/http.js';
import { jsonRpc } from '../support/a2a/json-rpc.js';
import { toNew, toOld } from '../support/a2a/messages.js';
import { rest } from '../support/a2a/rest.js';
import { normal } from '../support/a2a/seen.js';
import { type Json, nextId } from '../support/a2a/transport.js';
import { type Checklist, later, openChecklist } from '../support/checklist.js';
import { openHub, prompt } from '../support/hub.js';
import { type ConformanceAgent, openConformanceAgent } from '../support/open-conformance-agent.js';
import { serveHub } from '../support/served-hub.js';
import { until } from '../support/until.js';
import { openWebhook, type Posted } from '../support/webhook.js';

describe('[004-2.1] a client that is away is called back', () => {
  let agent: ConformanceAgent;
  beforeAll(async () => {
    agent = await openConformanceAgent();
  });
  afterAll(() => agent.close());
  const base = (): string => agent.url.slice(0, -1);

  test('v1.0: when input is required and when the task is over, with the scheme and credentials it gave', async () => {
    const hook = await openWebhook();
    const authentication = { scheme: 'Bearer', credentials: 'secret' };
    const configuration = { taskPushNotificationConfig: { url: hook.url, authentication } };
    const { id: taskId = '' } = await jsonRpc(base(), '1.0').send({ text: 'tool' }, { configuration });
    await until(() => hook.posted.length === 1);
    await rest(base(), '1.0').send({ taskId, data: { tool_call_id: 'edit-1', selected_option_id: 'proceed_once' } });
    await until(() => hook.posted.length === 2);
    expect(hook.posted.map(({ body }) => body)).toMatchObject([
      { statusUpdate: { taskId, status: { state: 'TASK_STATE_INPUT_REQUIRED' } } },
      { statusUpdate: { taskId, status: { state: 'TASK_STATE_COMPLETED' } } },
    ]);
    expect(hook.posted.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret', 'Bearer secret']);
    expect(hook.posted[0]?.headers['content-type']).toContain('application/a2a+json');
    hook.close();
  });

  test('v0.3: the same in its own form, with the token', async () => {
    const hook = await openWebhook();
    const pushNotificationConfig = { url: hook.url, token: 'mine' };
    const params = { message: toOld({ text: 'hello' }), configuration: { pushNotificationConfig, blocking: true } };
    await post(`${base()}/`, { jsonrpc: '2.0', id: 1, method: 'message/send', params });
    await until(() => hook.posted.length === 1);
    expect(hook.posted[0]).toMatchObject({
      body: { status: { state: 'completed' } },
      headers: { 'x-a2a-notification-token': 'mine', 'content-type': expect.stringContaining('application/json') },
    });
    hook.close();
  });

  test('registered later, it hears of what comes', async () => {
    const hook = await openWebhook();
    const { id: taskId = '' } = await jsonRpc(base(), '1.0').send(
      { text: 'hold' },
      { configuration: { returnImmediately: true } },
    );
    const created = await post(
      `${base()}/a2a/rest/tasks/${taskId}/pushNotificationConfigs`,
      { url: hook.url },
      { 'a2a-version': '1.0' },
    );
    expect(created.status).toBe(201);
    await jsonRpc(base(), '1.0').cancel(taskId);
    await until(() => hook.posted.length === 1);
    expect(hook.posted[0]?.body).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_CANCELED' } } });
    hook.close();
  });
});

describe('every update, for who asks', () => {
  let checklist: Checklist;
  beforeAll(async () => {
    checklist = await openChecklist();
  });
  afterAll(() => checklist.close());

  test('with the development-tool extension they are its events', async () => {
    const hook = await openWebhook();
    const headers = { 'a2a-extensions': `${pushAllUri}, ${extensionUri}` };
    const configuration = { taskPushNotificationConfig: { url: hook.url } };
    await checklist.on('JSON-RPC v1.0').send({ text: 'count 3' }, { configuration, headers });
    await until(() => JSON.stringify(hook.posted.at(-1)?.body).includes('COMPLETED'));
    const texts = hook.posted.flatMap(({ body }) => normal(body as Json).texts);
    expect(texts).toEqual(['3 ', '2 ', '1 ', 'You said: count 3']);
    hook.close();
  });
});

describe('who calls', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cardKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  let agent: ConformanceAgent;
  beforeAll(async () => {
    agent = await openConformanceAgent({ cardKey });
  });
  afterAll(() => agent.close());
  const notify = async (config: object): Promise<Posted & { taskId: string }> => {
    const hook = await openWebhook();
    const configuration = { taskPushNotificationConfig: { url: hook.url, ...config } };
    const { id = '' } = await jsonRpc(agent.url.slice(0, -1), '1.0').send({ text: 'hello' }, { configuration });
    await until(() => hook.posted.length === 1);
    hook.close();
    const [posted] = hook.posted;
    if (!posted) throw new Error('nothing came');
    return { ...posted, taskId: id, path: hook.url };
  };

  test('with --card-key a notice is signed, and the published key verifies it', async () => {
    const { headers, text, taskId, path: url } = await notify({ token: 'mine' });
    const keys = createRemoteJWKSet(new URL(`${agent.url}.well-known/jwks.json`));
    const jwt = headers.authorization?.replace('Bearer ', '') ?? '';
    const { payload } = await jwtVerify(jwt, keys, { issuer: agent.url, audience: url, maxTokenAge: '5 minutes' });
    expect(payload).toMatchObject({
      task_id: taskId,
      jti: expect.any(String),
      request_body_sha256: createHash('sha256').update(text).digest('hex'),
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300);
    expect(headers['x-a2a-notification-token']).toBe('mine');
    await expect(jwtVerify(jwt, keys, { audience: 'https://elsewhere.example/' })).rejects.toThrow('aud');
  });

  test('credentials that the client gave win', async () => {
    const { headers } = await notify({ authentication: { scheme: 'Basic', credentials: 'abc' } });
    expect(headers.authorization).toBe('Basic abc');
  });

  test('when the task is over and its webhook was told, the secrets are forgotten and the address stays', async () => {
    const hook = await openWebhook();
    const base = agent.url.slice(0, -1);
    const rpc = async (method: string, params: Json): Promise<Json> => {
      const body = { jsonrpc: '2.0', id: 1, method, params };
      return ((await (await post(`${base}/`, body, { 'a2a-version': '1.0' })).json()) as { result: Json }).result;
    };
    const { id: taskId = '' } = await jsonRpc(base, '1.0').send({ text: 'hold' }, later);
    const secrets = { token: 'secret', authentication: { scheme: 'Bearer', credentials: 'secret' } };
    const created = await rpc('CreateTaskPushNotificationConfig', { taskId, id: 'mine', url: hook.url, ...secrets });
    expect(created).toMatchObject(secrets);
    await jsonRpc(base, '1.0').cancel(taskId);
    await until(() => hook.posted.length === 1);
    const read = async (): Promise<string> =>
      JSON.stringify(await rpc('GetTaskPushNotificationConfig', { taskId, id: 'mine' }));
    await until(async () => !(await read()).includes('secret'));
    expect(JSON.parse(await read())).toMatchObject({ id: 'mine', url: hook.url });
    expect(hook.posted[0]?.headers.authorization).toBe('Bearer secret');
    hook.close();
  });
});

describe('delivery', () => {
  /** A turn of a hub with one webhook, run to its end. */
  function endTurn(url: string, allowed: readonly string[]): { sender: PushSender; done: Promise<void> } {
    const { session, engine } = openHub();
    const book = new TaskBook(session);
    const config = { tenant: '', taskId: '', id: 'one', url, token: '', authentication: undefined };
    const sender = new PushSender({
      targets: new TargetCheck(allowed),
      log: { debug: () => {}, info: () => {}, error: () => {} },
      retryMs: 3,
    });
    const { turnId } = session.submit(prompt('hello'));
    const task = book.get(turnId);
    if (!task) throw new Error('no task');
    const registered = { config, version: '1.0', updates: 'settled', isExtended: false, by: 'owner' } as const;
    const from = { after: session.seq, tries: 0 };
    const done = new Promise<void>((onDone) => void sender.watch(task, registered, { from, onDone }));
    engine.end();
    return { sender, done };
  }

  test('is tried again until the webhook takes it, and no further', async () => {
    const hook = await openWebhook([500, 503, 200]);
    const { sender, done } = endTurn(hook.url, ['*']);
    await done;
    expect([hook.posted.length, sender.deadLetters]).toEqual([3, 0]);
    hook.close();
  });

  test('is given up after six tries and counted', async () => {
    const hook = await openWebhook([500]);
    const { sender } = endTurn(hook.url, ['*']);
    await until(() => sender.deadLetters === 1);
    expect(hook.posted).toHaveLength(6);
    hook.close();
  });

  test('does not follow redirects', async () => {
    const hook = await openWebhook([302]);
    const { sender } = endTurn(hook.url, ['*']);
    await until(() => sender.deadLetters === 1);
    expect(new Set(hook.posted.map(({ path }) => path))).toEqual(new Set(['/hook']));
    hook.close();
  });

  test('checks the address again: what is private by then is never called', async () => {
    const hook = await openWebhook();
    const { sender } = endTurn(hook.url, []);
    await until(() => sender.deadLetters === 1);
    expect(hook.posted).toHaveLength(0);
    hook.close();
  });
});

describe('addresses that must not be called are refused when they are registered', () => {
  const refused = [
    'http://127.0.0.1:9/',
    'http://169.254.169.254/latest/meta-data',
    'http://10.1.2.3/',
    'http://172.20.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://0.0.0.0/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://localhost:9/',
    'file:///etc/passwd',
    'ftp://203.0.113.1/',
    'http://user:password@203.0.113.1/',
    'not an address',
    '',
  ];

  test.each(refused)('%s', async (url) => {
    await expect(new TargetCheck([]).resolve(url)).rejects.toMatchObject({ code: 'bad-request' });
  });

  test('on every transport, as a mistake of the client', async () => {
    const hub = await serveHub();
    const { turnId: taskId } = hub.session.submit(prompt('hello'));
    const url = 'http://127.0.0.1:9/';
    const rpc = async (method: string, params: Json, headers = {}) =>
      ((await (await post(`${hub.base}/`, { jsonrpc: '2.0', id: 1, method, params }, headers)).json()) as Json)[
        'error'
      ];
    const v1 = { 'a2a-version': '1.0' };
    expect(await rpc('CreateTaskPushNotificationConfig', { taskId, url }, v1)).toMatchObject({ code: -32602 });
    const message = toNew({ text: 'hello', messageId: nextId() });
    const configuration = { taskPushNotificationConfig: { url } };
    expect(await rpc('SendMessage', { message, configuration }, v1)).toMatchObject({ code: -32602 });
    const old = { taskId, pushNotificationConfig: { url } };
    expect(await rpc('tasks/pushNotificationConfig/set', old)).toMatchObject({ code: -32602 });
    const restful = await post(`${hub.base}/a2a/rest/tasks/${taskId}/pushNotificationConfigs`, { url }, v1);
    expect(restful.status).toBe(400);
    expect(hub.engine.started).toHaveLength(1);
    await hub.stop();
  });

  test('a beginning that was allowed is allowed, and nothing else', async () => {
    const check = new TargetCheck(['http://127.0.0.1:4000/hooks/']);
    await expect(check.resolve('http://127.0.0.1:4000/hooks/a')).resolves.toMatchObject({ address: '127.0.0.1' });
    await expect(check.resolve('http://127.0.0.1:4000/other')).rejects.toMatchObject({ code: 'bad-request' });
    await expect(check.resolve('http://127.0.0.1:40001/hooks/')).rejects.toMatchObject({ code: 'bad-request' });
  });
});

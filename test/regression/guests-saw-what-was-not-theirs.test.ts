import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../../src/demo/reply.js';
import { jsonRpc } from '../support/a2a/json-rpc.js';
import { openIssuer } from '../support/issuer.js';
import { startModelServer } from '../support/model-server.js';
import { browserAt, pair } from '../support/paired.js';
import { openPushService } from '../support/push-service.js';
import { scriptOf } from '../support/scripts.js';
import { spawnServe, type ServeProcess } from '../support/spawn-serve.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let model: Awaited<ReturnType<typeof startModelServer>>;
let issuer: Awaited<ReturnType<typeof openIssuer>>;
let service: Awaited<ReturnType<typeof openPushService>>;
let server: ServeProcess;
let owner: ReturnType<typeof browserAt>;

beforeAll(async () => {
  model = await startModelServer(scriptOf({ write: [call('write_file', { file_path: 'a.txt', content: '' })] }));
  issuer = await openIssuer();
  service = await openPushService();
  const args = ['--push-allow', '*', '--alert-allow', service.origin];
  const oidc = ['--oidc-issuer', issuer.url, '--oidc-audience', 'cosession'];
  server = await spawnServe({ folder: temporaryFolder(), modelUrl: model.url, args: [...args, ...oidc] }, () => {});
  owner = browserAt(server.base);
});
afterAll(async () => {
  server.kill('SIGKILL');
  service.close();
  await issuer.close();
  await model.close();
});

test('a browser that was paired for one task does not see a later task of the same id', async () => {
  await owner.post('/tasks', { contextId: 't' });
  const guest = browserAt(server.base, await pair(server.base, owner, { role: 'work', taskId: 't' }));
  const seen = async () => {
    const { tasks } = (await guest.get('/tasks')).json as { tasks: unknown[] };
    const list = { jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} };
    const paths = ['/tasks/t', '/tasks/t/metadata', '/tasks/t/artifacts', '/ws?taskId=t&dialect=endpoint'];
    const statuses = [];
    for (const path of paths) statuses.push((await guest.get(path)).status);
    statuses.push((await guest.post('/tasks', { contextId: 't' })).status);
    return { tasks: tasks.length, statuses, list: (await guest.post('/', list)).json['error'] };
  };
  expect(await seen()).toEqual({ tasks: 1, statuses: [200, 200, 200, 426, 201], list: undefined });
  expect((await owner.remove('/tasks/t')).status).toBe(204);
  expect((await owner.post('/tasks', { contextId: 't' })).status).toBe(201);
  expect(await seen()).toEqual({ tasks: 0, statuses: [404, 404, 404, 404, 404], list: undefined });
});

describe('webhooks', () => {
  /** A turn that waits, so that its webhooks stay. */
  const waiting = async (): Promise<string> => {
    const { id = '' } = await jsonRpc(server.base, '1.0').send({ text: 'write it' });
    return id;
  };
  const asked = (who: typeof owner, method: string, params: object) =>
    who.post('/', { jsonrpc: '2.0', id: 1, method, params });

  test('their credentials are shown to whoever registered them, and to nobody else', async () => {
    const taskId = await waiting();
    const guest = browserAt(server.base, await pair(server.base, owner, { role: 'work' }), { 'a2a-version': '1.0' });
    const me = browserAt(server.base, {}, { 'a2a-version': '1.0' });
    const authentication = { scheme: 'Bearer', credentials: 'secret-credentials' };
    const hook = { taskId, id: 'mine', url: 'http://127.0.0.1:9/secret-path', token: 'secret-token', authentication };
    expect((await asked(me, 'CreateTaskPushNotificationConfig', hook)).json).toHaveProperty('result');

    const others = [
      await asked(guest, 'ListTaskPushNotificationConfigs', { taskId }),
      await asked(guest, 'GetTaskPushNotificationConfig', { taskId, id: 'mine' }),
    ];
    for (const { json } of others) {
      expect(JSON.stringify(json)).toContain('"http://127.0.0.1:9/"');
      expect(JSON.stringify(json)).not.toContain('secret');
    }
    const replaced = await asked(guest, 'CreateTaskPushNotificationConfig', { ...hook, url: 'http://127.0.0.1:9/new' });
    expect(JSON.stringify(replaced.json)).toContain('another caller has the webhook');
    const deleted = await asked(guest, 'DeleteTaskPushNotificationConfig', { taskId, id: 'mine' });
    expect(JSON.stringify(deleted.json)).toContain('needs the scope admin');
    const own = await asked(me, 'GetTaskPushNotificationConfig', { taskId, id: 'mine' });
    expect(own.json['result']).toMatchObject({ url: hook.url, token: hook.token, authentication });
  });
});

describe('alerts', () => {
  test('what webhooks may reach, the push services of browsers may not', async () => {
    const guest = browserAt(server.base, await pair(server.base, owner, { role: 'watch' }));
    const subscription = { ...service.subscription(), endpoint: 'http://127.0.0.1:9/inside' };
    const { status, json } = await guest.post('/ui/push', { subscription });
    expect(status).toBe(400);
    expect(JSON.stringify(json)).toContain('--alert-allow');
  });

  test('end with the token of whoever subscribed', async () => {
    const subscribed = async (name: string, exp: number): Promise<unknown> => {
      const token = await issuer.sign({ sub: name, exp, scope: 'cosession:view' });
      const browser = browserAt(server.base, {}, { authorization: `Bearer ${token}` });
      const subscription = service.subscription(name);
      expect((await browser.post('/ui/push', { subscription })).status).toBe(201);
      return (await browser.post('/ui/push/test', { endpoint: subscription.endpoint })).json['isSent'];
    };
    const now = Math.floor(Date.now() / 1000);
    expect(await subscribed('ada', now + 300)).toBe(true);
    // It is accepted for another 30 s, because clocks differ.
    expect(await subscribed('bob', now - 1)).toBe(false);
    expect(service.pushed).toHaveLength(1);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Devices } from '../../src/auth/devices.js';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { memoryStore } from '../../src/stores/memory.js';
import { browserAt, type Halves, pair } from '../support/paired.js';
import { token } from '../support/served-hub.js';
import { serveRegistry } from '../support/served-registry.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { WireClient } from '../support/wire-client.js';

/** A browser with which one task of a server was shared. */
const workspace = temporaryFolder();
let served: Awaited<ReturnType<typeof serveRegistry>>;
let base = '';
let guest: Halves;

beforeAll(async () => {
  const devices = new Devices(new TokenFolder(temporaryFolder()), 'here');
  served = await serveRegistry({ workspace, store: memoryStore() }, { requireToken: true, devices });
  base = served.server.url.slice(0, -1);
  const owner = browserAt(base, {}, { authorization: `Bearer ${token}` });
  for (const contextId of ['shared', 'other']) await owner.post('/tasks', { contextId });
  guest = await pair(base, owner, { role: 'work', taskId: 'shared' });
});
afterAll(() => served.stop());

const asGuest = () => browserAt(base, guest);

test('it sees that task, and no other in any list', async () => {
  expect((await asGuest().get('/ui/me')).json).toMatchObject({ mode: 'serve', taskId: 'shared' });
  expect((await asGuest().get('/tasks')).json).toMatchObject({ tasks: [{ id: 'shared' }], total: 1 });
  expect((await asGuest().get('/tasks?contextId=other')).json).toMatchObject({ tasks: [], total: 0 });
  expect((await asGuest().get('/tasks/metadata')).body.toString()).not.toContain('other');
  const listed = await asGuest().post('/', { jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} });
  expect(listed.body.toString()).not.toContain('other');
});

describe('the others do not exist for it', () => {
  test.each([
    ['GET', ''],
    ['GET', '/history'],
    ['GET', '/metadata'],
    ['GET', '/files'],
    ['GET', '/artifacts'],
    ['POST', '/cancel'],
  ] as const)('%s /tasks/other%s', async (method, path) => {
    const call = (id: string) =>
      method === 'GET' ? asGuest().get(`/tasks/${id}${path}`) : asGuest().post(`/tasks/${id}${path}`);
    expect(await call('other')).toMatchObject({ status: 404, json: { error: { code: 'unknown-task' } } });
    expect((await call('shared')).status).not.toBe(404);
  });

  test('on a WebSocket', async () => {
    const connect = (taskId: string) =>
      WireClient.connect(`${base.replace('http', 'ws')}/ws?taskId=${taskId}`, {
        headers: { cookie: guest.cookie },
        protocols: ['cosession', `page.${guest.page}`],
      });
    await expect(connect('other')).rejects.toThrow(/404/);
    const client = await connect('shared');
    await client.find(({ kind }) => kind === 'SNAPSHOT');
    client.close();
  });
});

test('it creates none, and can share no other', async () => {
  expect((await asGuest().post('/tasks', {})).status).toBe(403);
  expect((await asGuest().post('/tasks', { contextId: 'new' })).status).toBe(403);
  expect((await asGuest().post('/ui/share', { role: 'watch', taskId: 'other' })).status).toBe(404);
  const further = await pair(base, asGuest(), { role: 'watch' });
  expect((await browserAt(base, further).get('/tasks')).json).toMatchObject({ tasks: [{ id: 'shared' }] });
});

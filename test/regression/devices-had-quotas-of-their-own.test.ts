import { afterAll, beforeAll, expect, test } from 'vitest';
import { Devices } from '../../src/auth/devices.js';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { memoryStore } from '../../src/stores/memory.js';
import { Quota } from '../../src/tasks/quota.js';
import { browserAt, pair } from '../support/paired.js';
import { serveRegistry } from '../support/served-registry.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const store = memoryStore();
const folder = new TokenFolder(temporaryFolder());
const devices = new Devices(folder, 'server');
const quota = new Quota({
  store,
  turns: 1,
  tokens: undefined,
  accountOf: (principal) => devices.accountOf(principal),
  onError(error) {
    throw error;
  },
});
let served: Awaited<ReturnType<typeof serveRegistry>>;
let base = '';
let authorization = '';

beforeAll(async () => {
  authorization = `Bearer ${await folder.create({ name: 'ada', scopes: ['prompt', 'approve'] })}`;
  await quota.start();
  const settings = { requireToken: true, auth: { authenticators: [folder] }, devices, arePrivate: true };
  const mayPrompt = quota.check.bind(quota);
  served = await serveRegistry({ workspace: temporaryFolder(), store, mayPrompt }, settings);
  served.registry.onSession((session) => quota.watch(session));
  base = served.server.url.slice(0, -1);
});
afterAll(async () => {
  await served.stop();
  await quota.close();
});

/** The turn goes on, so only the head of the answer is read. */
async function promptAs(headers: Record<string, string>): Promise<number> {
  const leave = new AbortController();
  const { status } = await fetch(`${base}/tasks/mine/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ message: 'go' }),
    signal: leave.signal,
  });
  leave.abort();
  return status;
}

/** Anyone could pair with themselves as often as they liked, and each pairing had a new quota. */
test('a device uses the tasks and the quota of whoever shared, also at the end of a chain', async () => {
  const ada = browserAt(base, {}, { authorization });
  expect((await ada.post('/tasks', { contextId: 'mine' })).status).toBe(201);
  const phone = await pair(base, ada, { role: 'work' });
  const tablet = await pair(base, browserAt(base, phone), { role: 'work' });
  // A private task: the second device of the chain saw none.
  expect((await browserAt(base, tablet).get('/tasks')).json).toMatchObject({ tasks: [{ id: 'mine' }] });
  expect(await promptAs({ authorization })).toBe(200);
  expect(await promptAs({ authorization })).toBe(429);
  for (const { cookie, page } of [phone, tablet])
    expect(await promptAs({ cookie, 'x-cosession-page': page })).toBe(429);
});

import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { say } from '../../src/demo/reply.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { usePostgres } from '../support/use-postgres.js';

const words = Array.from({ length: 100 }, (_, index) => `word-${index} `);
const model = await startModelServer(scriptOf({ talk: { chunks: words.map((word) => [say(word)]), pauseMs: 10 } }));
const database = usePostgres();
afterAll(() => model.close());

/** A new connection takes some, and then something shall be stored before the next cut. */
const packetsBetween = 150;
const allCuts = 15;

async function startBehindProxy() {
  const proxy = await startTcpProxy(database.server.port);
  const url = (await database.server.newPlace()).replace(`:${database.server.port}`, `:${proxy.port}`);
  const served = await startServe({ folder: temporaryFolder(), modelUrl: model.url, args: ['--store', url] });
  return { proxy, served };
}

test('connections that are cut again and again while turns run end no server and lose no word', async () => {
  const { proxy, served } = await startBehindProxy();
  let cuts = 0;
  const isCutting = (): boolean => cuts < allCuts;
  const talk = async (contextId: string): Promise<void> => {
    while (isCutting()) {
      const message = { contextId, userMessage: { kind: 'text-content', text: 'talk' } };
      const response = await served.post('message/stream', message);
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      const events = await eventsOf(response);
      const said = events.map(({ data }) => (data['kind'] === 'text-content' ? String(data['text']) : '')).join('');
      expect(said).toBe(words.join(''));
      expect(events.at(-1)?.data).toMatchObject({ state: 'completed', final: true });
    }
  };
  const turns = Promise.all(['one', 'two', 'three', 'four'].map(talk));
  const cutting = (async () => {
    for (; isCutting(); cuts++) {
      await proxy.passed(packetsBetween);
      proxy.cut();
    }
  })();
  const ended = served.exit.then((code) => {
    throw new Error(`the server ended with ${code} after ${cuts} cuts`);
  });
  await Promise.race([Promise.all([turns, cutting]), ended]);
  expect((await fetch(`${served.base}/ready`)).status).toBe(200);
  served.kill('SIGTERM');
  await ended.catch(() => undefined);
  await proxy.close();
});

test('a database that does not answer is given up, and health does not wait for it', async () => {
  const { proxy, served } = await startBehindProxy();
  await served.post('tasks', { contextId: 'one' });
  proxy.stall();
  let isAnswered = false;
  const listed = fetch(`${served.base}/tasks`).finally(() => (isAnswered = true));
  const created = served.post('tasks', { contextId: 'two' });
  expect(await (await fetch(`${served.base}/health`)).json()).toMatchObject({ status: 'healthy' });
  const ready = await fetch(`${served.base}/ready`);
  expect(isAnswered).toBe(false);
  for (const refused of [ready, await listed, await created])
    expect([refused.status, await refused.json()]).toMatchObject([503, { error: { code: 'store-unavailable' } }]);
  proxy.heal();
  expect((await served.post('tasks', { contextId: 'three' })).status).toBe(201);
  expect((await fetch(`${served.base}/ready`)).status).toBe(200);
  await proxy.close();
});

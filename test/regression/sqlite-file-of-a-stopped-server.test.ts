import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { scriptOf } from '../support/scripts.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const model = await startModelServer(scriptOf({}));
afterAll(() => model.close());

const sizeOf = (file: string): number => (existsSync(file) ? statSync(file).size : 0);
const say = (contextId: string, text: string) => ({ contextId, userMessage: { kind: 'text-content', text } });

async function start() {
  const folder = temporaryFolder();
  const served = await startServe({ folder, modelUrl: model.url });
  return { folder, served, file: join(folder, 'state', 'tasks.db') };
}

async function stop(served: ServeProcess): Promise<void> {
  served.kill('SIGTERM');
  expect(await served.exit).toBe(0);
}

test('after a clean stop one file holds everything', async () => {
  const { folder, served, file } = await start();
  const events = await eventsOf(await served.post('message/stream', say('one', 'hello')));
  expect(events.at(-1)?.data).toMatchObject({ state: 'completed' });
  await stop(served);
  expect(sizeOf(`${file}-wal`)).toBe(0);
  const copy = join(folder, 'copy.db');
  copyFileSync(file, copy);
  const database = new Database(copy);
  expect(database.prepare('select state from tasks').all()).toMatchObject([{ state: 'completed' }]);
  database.close();
});

test('the space of deleted tasks goes back to the disk', async () => {
  const { served, file } = await start();
  for (const id of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'])
    await eventsOf(await served.post('message/stream', say(id, 'x'.repeat(900_000))));
  expect(sizeOf(file) + sizeOf(`${file}-wal`)).toBeGreaterThan(7_000_000);
  const { tasks } = (await (await fetch(`${served.base}/tasks`)).json()) as { tasks: { id: string }[] };
  for (const { id } of tasks) await fetch(`${served.base}/tasks/${id}`, { method: 'DELETE' });
  await stop(served);
  expect(sizeOf(file) + sizeOf(`${file}-wal`)).toBeLessThan(500_000);
});

test.each([
  ['deleted', (file: string) => ['', '-wal', '-shm'].forEach((part) => rmSync(`${file}${part}`, { force: true }))],
  [
    'replaced',
    (file: string) => {
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
    },
  ],
])('a file that was %s while the server runs is noticed', async (_, hurt) => {
  const { served, file } = await start();
  await served.post('tasks', { contextId: 'one' });
  hurt(file);
  const ready = await fetch(`${served.base}/ready`);
  const created = await served.post('tasks', { contextId: 'two' });
  for (const response of [ready, created])
    expect([response.status, await response.json()]).toMatchObject([
      503,
      { error: { code: 'store-unavailable', message: 'the file of the store was deleted or replaced' } },
    ]);
  expect((await fetch(`${served.base}/health`)).status).toBe(200);
  await stop(served);
});

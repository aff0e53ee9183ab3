import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const model = await startModelServer(scriptOf({}));
afterAll(() => model.close());

const maxLoaded = 3;
const ids = Array.from({ length: 8 }, (_, index) => `task-${index}`);

test('--max-loaded holds for tasks that are opened again', async () => {
  const folder = temporaryFolder();
  const args = ['--max-loaded', String(maxLoaded)];
  const served = await startServe({ folder, modelUrl: model.url, args });
  const loaded = async (): Promise<number> => {
    const metrics = await (await fetch(`${served.base}/metrics`)).text();
    return Number(/^cosession_tasks_loaded(?:\{[^}]*\})? (\d+)/m.exec(metrics)?.[1]);
  };
  const say = async (taskId: string): Promise<unknown> => {
    const userMessage = { kind: 'text-content', text: 'hello' };
    return (await eventsOf(await served.post('message/stream', { contextId: taskId, userMessage }))).at(-1)?.data;
  };
  for (const id of ids) expect(await say(id)).toMatchObject({ state: 'completed' });
  expect(await loaded()).toBeLessThanOrEqual(maxLoaded);

  for (const id of ids) {
    expect(await say(id)).toMatchObject({ state: 'completed' });
    expect(await loaded()).toBeLessThanOrEqual(maxLoaded);
  }
  const read = await Promise.all(ids.map((id) => fetch(`${served.base}/tasks/${id}`)));
  expect(read.map(({ status }) => status)).toEqual(ids.map(() => 200));
  expect(await loaded()).toBeLessThanOrEqual(maxLoaded);
});

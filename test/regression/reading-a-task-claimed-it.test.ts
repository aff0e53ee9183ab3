import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { openStore } from '../../src/stores/open.js';
import { jsonRpc } from '../support/a2a/json-rpc.js';
import { scriptOf } from '../support/scripts.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const model = await startModelServer(
  scriptOf({ write: [call('write_file', { file_path: 'made.txt', content: 'made\n' })] }),
);
afterAll(() => model.close());

/** Servers on one store that know nothing else of each other. */
function servers() {
  const store = `sqlite:${join(temporaryFolder(), 'tasks.db')}`;
  const args = ['--store', store, '--lease-seconds', '600'];
  return { store, start: () => startServe({ folder: temporaryFolder(), modelUrl: model.url, args }) };
}

/** Every way to read a task, and what came of it. */
async function readAt({ base }: ServeProcess, contextId: string, taskId: string) {
  const client = jsonRpc(base, '1.0');
  const [task, metadata] = await Promise.all(
    [`tasks/${contextId}`, `tasks/${contextId}/metadata`].map(async (path) => (await fetch(`${base}/${path}`)).json()),
  );
  const got = await client.get(taskId);
  return { task, metadata, got, page: await client.list?.({}), ofContext: await client.list?.({ contextId }) };
}

async function holderOf(url: string, taskId: string): Promise<unknown> {
  const store = await openStore(url, { stateDir: '/nowhere', env: {} });
  const holder = await store.holder(taskId);
  await store.close();
  return holder;
}

test('a task that another server runs is read and listed, question and all', async () => {
  const { store, start } = servers();
  const [first, second] = [await start(), await start()];
  const { id = '' } = await jsonRpc(first.base, '1.0').send({ text: 'write it', contextId: 'busy' });
  await jsonRpc(first.base, '1.0').send({ text: 'hello', contextId: 'idle' });
  const holder = await holderOf(store, 'busy');

  const there = await readAt(first, 'busy', id);
  const here = await readAt(second, 'busy', id);
  expect(here).toEqual({ ...there, metadata: expect.anything() });
  expect(here).toMatchObject({
    task: { state: 'input-required', metadata: { pending: [{ tool_call_id: expect.any(String) }] } },
    metadata: { metadata: { id: 'busy', taskState: 'input-required' } },
    got: { id, state: 'input-required' },
    page: { totalSize: 2 },
    ofContext: { totalSize: 1 },
  });
  expect(await holderOf(store, 'busy')).toEqual(holder);
});

test('a task that nobody runs is still free after it was read', async () => {
  const { store, start } = servers();
  const first = await start();
  const { id = '' } = await jsonRpc(first.base, '1.0').send({ text: 'hello', contextId: 'idle' });
  first.kill('SIGTERM');
  await first.exit;

  const second = await start();
  const read = await readAt(second, 'idle', id);
  expect(read).toMatchObject({ task: { state: 'completed' }, got: { id, state: 'completed' }, page: { totalSize: 1 } });
  expect(await holderOf(store, 'idle')).toBeUndefined();
  const third = await start();
  expect(await jsonRpc(third.base, '1.0').send({ text: 'hello', contextId: 'idle' })).toMatchObject({
    state: 'completed',
  });
});

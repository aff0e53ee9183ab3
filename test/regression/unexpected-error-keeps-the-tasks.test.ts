import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const model = await startModelServer(
  scriptOf({ write: [call('write_file', { file_path: 'made.txt', content: 'made\n' })] }),
);
afterAll(() => model.close());

test('an error that nobody caught is logged, the tasks are given away, and the server ends with 1', async () => {
  const folder = temporaryFolder();
  // A lease that nobody waits for, and state folders of their own: only what is given away is free.
  const start = (name: string, env: Record<string, string> = {}) =>
    startServe({
      folder,
      modelUrl: model.url,
      args: ['--store', `sqlite:${folder}/tasks.db`, '--lease-seconds', '600'],
      env: { COSESSION_STATE_DIR: `${folder}/${name}`, ...env },
    });
  const mistake = "process.on('SIGUSR2', () => { throw new Error('a mistake in a library'); })";
  const first = await start('first', { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(mistake)}` });
  const say = { contextId: 'one', userMessage: { kind: 'text-content', text: 'write' } };
  await eventsOf(await first.post('message/stream', say));
  const second = await start('second');
  // Reading it takes it from nobody; opening it does.
  const open = () => second.post('tasks', { contextId: 'one' });
  expect((await open()).status).toBe(503);

  first.kill('SIGUSR2');
  expect(await first.exit).toBe(1);
  expect(first.log).toContainEqual(
    expect.objectContaining({
      level: 'error',
      msg: 'internal error: the server releases its tasks and stops',
      cause: expect.objectContaining({ message: 'a mistake in a library' }) as object,
    }),
  );
  expect(first.log.at(-1)).toMatchObject({ msg: 'stopped' });
  const task = await open();
  expect([task.status, await task.json()]).toMatchObject([201, { state: 'input-required' }]);
});

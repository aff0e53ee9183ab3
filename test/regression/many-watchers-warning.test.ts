import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { WireClient } from '../support/wire-client.js';

const model = await startModelServer(scriptOf({}));
afterAll(() => model.close());

test('twenty clients watch one task, and Node does not warn of a leak', async () => {
  const served = await startServe({ folder: temporaryFolder(), modelUrl: model.url });
  await served.post('tasks', { contextId: 'one' });
  const url = `${served.base.replace('http', 'ws')}/ws?taskId=one&protocol=endpoint`;
  const clients = await Promise.all(Array.from({ length: 20 }, () => WireClient.connect(url)));
  for (const client of clients) await client.kind('SNAPSHOT');
  served.kill('SIGTERM');
  expect(await served.exit).toBe(0);
  expect(served.stderr).toBe('');
});

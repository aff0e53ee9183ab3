import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { clientsScript } from './suites/clients-of-a-session.js';
import { editorOnAServer } from './suites/editor-on-a-server.js';

const model = await startModelServer(clientsScript);
afterAll(() => model.close());

test('an editor works on a server: a task in its folder, a permission, a crash, and the same task again', async () => {
  const folder = temporaryFolder();
  const start = () => startServe({ folder, modelUrl: model.url });
  let served = await start();
  await editorOnAServer({
    base: () => served.base,
    workspace: join(folder, 'workspace'),
    async crash() {
      served.kill('SIGKILL');
      await served.exit;
      served = await start();
    },
  });
  served.kill('SIGTERM');
  expect(await served.exit).toBe(0);
});

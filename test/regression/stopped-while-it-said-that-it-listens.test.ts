import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('a signal that comes as soon as the server listens stops it cleanly', async () => {
  const preload = pathToFileURL(resolve('test/support/term-when-listening.js')).href;
  const env = { NODE_OPTIONS: `--import=${preload}` };
  const server = await startServe({ folder: temporaryFolder(), modelUrl: 'http://127.0.0.1:9', env });
  expect(await server.exit).toBe(0);
  await server.logged('stopped');
});

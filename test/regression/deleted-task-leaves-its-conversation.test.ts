import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// Core keeps an output of this length in a file, for the model to read the rest of it.
const model = await startModelServer(
  scriptOf({ count: [call('run_shell_command', { command: 'yes xyzzy-output | head -n 20000' })] }),
);
afterAll(() => model.close());

const prompt = (text: string) => ({ contextId: 'private', userMessage: { kind: 'text-content', text } });

/** Files outside the store that hold a part of the conversation. The audit log outlives it: it says which command was allowed. */
function traces(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !/\.db(?:-wal|-shm|-journals\/.*)?$|\/audit\//.test(path))
    .filter((path) => readFileSync(path, 'latin1').includes('xyzzy'));
}

test.each([[[]], [['--isolate']]])('DELETE leaves no part of the conversation on the disk %s', async (mode) => {
  const folder = temporaryFolder();
  const args = [...mode, '--allow-tool', 'run_shell_command'];
  const first = await startServe({ folder, modelUrl: model.url, args });
  await eventsOf(await first.post('message/stream', prompt('count xyzzy-prompt')));
  expect(traces(folder)).toEqual([expect.stringMatching(/state\/scratch\/.*tool-outputs/)]);
  first.kill('SIGTERM');
  await first.exit;

  // Every load used to make another copy.
  const second = await startServe({ folder, modelUrl: model.url, args });
  await eventsOf(await second.post('message/stream', prompt('hello xyzzy-again')));
  expect((await fetch(`${second.base}/tasks/private`, { method: 'DELETE' })).status).toBe(204);
  expect(traces(folder)).toEqual([]);
});

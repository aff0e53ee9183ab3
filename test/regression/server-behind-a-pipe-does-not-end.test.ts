import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../../src/demo/model-server.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const model = await startModelServer(scriptOf({}));
afterAll(() => model.close());

test('a server whose log nobody reads any more goes on, and ends when told', async () => {
  const served = await startServe({ folder: temporaryFolder(), modelUrl: model.url });
  served.stopReading();
  const prompt = { userMessage: { kind: 'text-content', text: 'hello' } };
  const events = await eventsOf(await served.post('message/stream', prompt));
  expect(events.at(-1)?.data).toMatchObject({ state: 'completed' });
  served.kill('SIGTERM');
  expect(await served.exit).toBe(0);
});

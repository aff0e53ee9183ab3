import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { say } from '../../src/demo/reply.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const model = await startModelServer(
  scriptOf({
    silent: { chunks: [[say('I am thinking')], [say('never')]], holdLast: new Promise(() => {}) },
  }),
);
afterAll(() => model.close());

const prompt = (contextId: string, text: string) => ({ contextId, userMessage: { kind: 'text-content', text } });

test.each([[[]], [['--isolate']]])('a model that never finishes ends its turn at the limit %s', async (mode) => {
  const args = [...mode, '--max-turn-seconds', '1'];
  const served = await startServe({ folder: temporaryFolder(), modelUrl: model.url, args });
  const events = await eventsOf(await served.post('message/stream', prompt('one', 'be silent')));
  expect(events.at(-1)?.data).toMatchObject({
    state: 'failed',
    error: 'the turn worked longer than 1 s, which is the limit',
  });
});

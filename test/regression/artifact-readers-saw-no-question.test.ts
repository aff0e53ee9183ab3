import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call, say } from '../../src/demo/reply.js';
import { artifactsOf } from '../support/a2a/seen.js';
import { all } from '../support/a2a/transport.js';
import { openTransport } from '../support/checklist.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const model = await startModelServer(
  scriptOf({ write: [say('I will write it. '), call('write_file', { file_path: 'made.txt', content: 'made\n' })] }),
);
afterAll(() => model.close());

const transports = ['JSON-RPC v1.0', 'JSON-RPC v0.3', 'HTTP+JSON v1.0', 'HTTP+JSON v0.3'] as const;

test('a question is in the artifacts of a stream as in its states, and not in the answer', async () => {
  const serve = await startServe({ folder: temporaryFolder(), modelUrl: model.url });
  for (const name of transports) {
    const on = openTransport({ url: `${serve.base}/` }, name);
    const events = await all(on.stream({ text: 'write it' }));
    const { answer, ...others } = artifactsOf(events);
    expect([name, answer]).toEqual([name, 'I will write it. ']);
    expect(Object.keys(others)).toEqual([expect.stringMatching(/^question-/)]);
    expect(Object.values(others)).toEqual([events.at(-1)?.texts[0]]);
    expect(Object.values(others)[0]).toContain('made.txt');

    const id = events[0]?.id ?? '';
    const rest = await all(on.stream({ taskId: id, text: 'yes' }));
    expect(artifactsOf(rest)).toEqual({ answer: 'I will write it. All done.' });
    expect((await on.get(id)).made).toEqual({ answer: 'I will write it. All done.' });
  }
});

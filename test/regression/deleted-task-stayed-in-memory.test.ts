import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call, say } from '../../src/demo/reply.js';
import { lastToolResult } from '../../src/demo/script.js';
import { type HeapObject, objectsIn } from '../support/heap-snapshot.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const line = 'a line that nobody else writes\n';
const file = line.repeat(300_000 / line.length);

const model = await startModelServer((request) =>
  lastToolResult(request)
    ? { chunks: [[say('Written.')]] }
    : { chunks: [[call('write_file', { file_path: 'file.txt', content: file })]] },
);
afterAll(() => model.close());

test('of a task that was deleted nothing stays in memory but the little that readers were sent last', async () => {
  const folder = temporaryFolder();
  const served = await startServe({
    folder,
    modelUrl: model.url,
    args: ['--allow-tool', 'write_file'],
    env: { NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder}` },
  });
  for (let turn = 0; turn < 12; turn++) {
    const events = await eventsOf(await served.post('', promptOf(`write ${turn}`)));
    expect(events.at(-1)?.data).toMatchObject({ result: { status: { state: 'completed' } } });
  }
  expect((await fetch(`${served.base}/tasks/one`, { method: 'DELETE' })).status).toBe(204);

  const objects = await heapOf(served, folder);
  expect(objects.filter(({ type, name }) => type === 'object' && name === 'Config')).toEqual([]);
  const bytes = objects.reduce((sum, { name, size }) => (name.includes(line) ? sum + size : sum), 0);
  expect(bytes).toBeLessThan(10 * file.length);
});

/** Standard A2A, v0.3. */
function promptOf(text: string): object {
  const message = { kind: 'message', role: 'user', messageId: text, contextId: 'one', parts: [{ kind: 'text', text }] };
  return { jsonrpc: '2.0', id: 1, method: 'message/stream', params: { message } };
}

/** Node collects garbage before it writes them; its file ends with a brace. */
async function heapOf(served: ServeProcess, folder: string): Promise<readonly HeapObject[]> {
  served.kill('SIGUSR2');
  const snapshot = await until(() => {
    const name = readdirSync(folder).find((entry) => entry.endsWith('.heapsnapshot'));
    const text = name === undefined ? '' : readFileSync(join(folder, name), 'utf8');
    return text.trimEnd().endsWith(']}') ? text : undefined;
  });
  return [...objectsIn(snapshot)];
}

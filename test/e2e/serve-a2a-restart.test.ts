import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { jsonRpc } from '../support/a2a/json-rpc.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const model = await startModelServer(
  scriptOf({ write: [call('write_file', { file_path: 'made.txt', content: 'made\n' })] }),
);
afterAll(() => model.close());

test('after kill -9 A2A clients find their task, follow it and answer its question', async () => {
  const folder = temporaryFolder();
  const before = await startServe({ folder, modelUrl: model.url });
  const asked = await jsonRpc(before.base, '1.0').send({ text: 'write it' });
  expect(asked.state).toBe('input-required');
  before.kill('SIGKILL');
  await before.exit;

  const after = await startServe({ folder, modelUrl: model.url });
  const client = jsonRpc(after.base, '1.0');
  const { id = '', texts } = asked;
  expect(await client.get(id)).toMatchObject({ id, state: 'input-required' });
  expect((await client.list?.({}))?.tasks).toMatchObject([{ id, state: 'input-required' }]);

  const followed: string[] = [];
  const ended = (async () => {
    for await (const { state } of client.subscribe(id)) if (state !== undefined) followed.push(state);
  })();
  await until(() => followed.length > 0);
  const [callId] = /write_file__\w+/.exec(texts.join('')) ?? [];
  await client.send({ taskId: id, data: { tool_call_id: callId, selected_option_id: 'proceed_once' } });
  await ended;
  expect(followed[0]).toBe('input-required');
  expect(followed.at(-1)).toBe('completed');
  expect(existsSync(join(folder, 'workspace', 'made.txt'))).toBe(true);
  expect(await client.get(id)).toMatchObject({ state: 'completed' });
});

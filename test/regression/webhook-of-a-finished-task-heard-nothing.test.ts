import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { jsonRpc } from '../support/a2a/json-rpc.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { openWebhook } from '../support/webhook.js';

const model = await startModelServer(
  scriptOf({ write: [call('write_file', { file_path: 'made.txt', content: 'made\n' })] }),
);
afterAll(() => model.close());
const args = ['--push-allow', '*'];
const server = await startServe({ folder: temporaryFolder(), modelUrl: model.url, args }, 'file');

test.each([
  ['hello', 'COMPLETED'],
  ['write it', 'INPUT_REQUIRED'],
])('a webhook that comes after "%s" hears that its task is %s', async (text, state) => {
  const hook = await openWebhook();
  const client = jsonRpc(server.base, '1.0');
  // The task became so before the request was here: its sender cannot know.
  const { id = '' } = await client.send({ text });
  await client.webhooks.create(id, { url: hook.url });
  await until(() => hook.posted.length > 0);
  expect(hook.posted.map((posted) => /TASK_STATE_(\w+)/.exec(posted.text)?.[1])).toEqual([state]);
  hook.close();
});

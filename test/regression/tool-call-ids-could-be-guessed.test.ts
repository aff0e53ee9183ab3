import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call, say } from '../../src/demo/reply.js';
import { promptTask } from '../support/follow-task.js';
import { responsesIn } from '../support/repeated-ids.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const model = await startModelServer((request) =>
  responsesIn(request).length === 0
    ? { chunks: [[call('run_shell_command', { command: 'echo hello' })]] }
    : { chunks: [[say('Done.')]] },
);
afterAll(() => model.close());

test('a call to which the model gave no id has one that nobody can guess, and the model sees none', async () => {
  const served = await startServe({ folder: temporaryFolder(), modelUrl: model.url });
  const client = await promptTask(served, 'guessed', 'work');
  const { tool_call_id: id } = await client.find(({ status }) => status === 'PENDING');
  expect(id).toMatch(/_u[0-9a-f]{12}$/);
  await client.answer(id, 'proceed_once');
  await client.state('completed');
  expect(model.requests.flatMap(responsesIn).map((response) => response.id)).toEqual([undefined]);
});

import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { toNew } from '../support/a2a/messages.js';
import { eventsOf } from '../support/a2a/http.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const model = await startModelServer(scriptOf({}));
afterAll(() => model.close());

test('a method that only v1.0 has is answered as v1.0 without a header, unless another version is named', async () => {
  const serve = await startServe({ folder: temporaryFolder(), modelUrl: model.url });
  const call = (method: string, params: object, headers = {}) =>
    serve.post('', { jsonrpc: '2.0', id: 1, method, params }, headers);
  const answer = async (method: string, params: object, headers = {}) =>
    (await (await call(method, params, headers)).json()) as { result?: object; error?: object };
  const message = () => ({ message: toNew({ text: 'hello' }) });

  const sent = await answer('SendMessage', message());
  expect(sent).toMatchObject({ result: { task: { status: { state: 'TASK_STATE_COMPLETED' } } } });
  const { id } = (sent as { result: { task: { id: string } } }).result.task;
  expect(await answer('GetTask', { id })).toMatchObject({ result: { id } });
  expect(await answer('ListTasks', {})).toMatchObject({ result: { tasks: [{ id }] } });
  const states: string[] = [];
  for await (const { data } of eventsOf(await call('SendStreamingMessage', message())))
    states.push(JSON.stringify(data));
  expect(states.at(-1)).toContain('TASK_STATE_COMPLETED');
  expect(await answer('CancelTask', { id })).toMatchObject({ error: { code: -32002 } });

  expect(await answer('SendMessage', message(), { 'a2a-version': '0.3' })).toMatchObject({ error: { code: -32601 } });
  expect(await answer('tasks/get', { id })).toMatchObject({ result: { kind: 'task', id } });
});

import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { jsonRpc } from '../support/a2a/json-rpc.js';
import { followTask, promptTask } from '../support/follow-task.js';
import { scriptOf } from '../support/scripts.js';
import { startServe, type ServeProcess } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import type { WireClient } from '../support/wire-client.js';

const model = await startModelServer(scriptOf({ touch: [call('run_shell_command', { command: 'touch made' })] }));
afterAll(() => model.close());

test('the same answer with the same answerId is a success on every route, also after kill -9; another one is not', async () => {
  const folder = temporaryFolder();
  const before = await startServe({ folder, modelUrl: model.url });
  const first = await promptTask(before, 'asked', 'touch it');
  const { tool_call_id: callId } = await first.pending();
  const key = { answerId: 'answer-1' };
  expect(await first.answer(callId, 'proceed_once', key)).toMatchObject({ result: { accepted: true } });
  await first.state('completed');
  const { turnId } = await first.state('completed');

  const sendAgain = async (served: ServeProcess, client: WireClient): Promise<void> => {
    expect(await client.answer(callId, 'proceed_once', key)).toMatchObject({
      result: { accepted: true, tool_call_id: callId, duplicate: true },
    });
    const refused = { error: { code: -32050, data: { selected_option_id: 'proceed_once' } } };
    expect(await client.answer(callId, 'cancel', key)).toMatchObject(refused);
    expect(await client.answer(callId, 'proceed_once')).toMatchObject(refused);
    expect(await client.answer(callId, 'proceed_once', { answerId: 'answer-2' })).toMatchObject(refused);

    const userMessage = { kind: 'tool-call-confirmation', toolCallId: callId, approved: true, ...key };
    const streamed = await eventsOf(await served.post('message/stream', { taskId: 'asked', userMessage }));
    expect(streamed[0]?.data).toMatchObject({ kind: 'tool-call-update', status: 'EXECUTING' });
    expect(streamed.at(-1)?.data).toMatchObject({ kind: 'state-change', state: 'completed', final: true });

    const data = { tool_call_id: callId, selected_option_id: 'proceed_once', ...key };
    const task = await jsonRpc(served.base, '0.3').send({ taskId: String(turnId), data });
    expect(task).toMatchObject({ id: turnId, state: 'completed' });
    expect(
      client.seen.filter(({ kind, status }) => kind === 'TOOL_CALL_UPDATE' && status === 'SUCCEEDED'),
    ).toHaveLength(1);
  };
  await sendAgain(before, first);
  before.kill('SIGKILL');
  await before.exit;
  const after = await startServe({ folder, modelUrl: model.url });
  await sendAgain(after, await followTask(after, 'asked'));
});

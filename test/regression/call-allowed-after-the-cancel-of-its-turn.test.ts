import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { call } from '../../src/demo/reply.js';
import { promptTask } from '../support/follow-task.js';
import { alice, bob, openHub, prompt } from '../support/hub.js';
import { waitingShell } from '../support/manual-engine.js';
import { startModelServer } from '../support/model-server.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const model = await startModelServer(scriptOf({ touch: [call('run_shell_command', { command: 'touch made' })] }));
afterAll(() => model.close());

test('an answer that comes right behind a cancel is too late, and the tool does not run', async () => {
  const folder = temporaryFolder();
  const served = await startServe({ folder, modelUrl: model.url });
  const client = await promptTask(served, 'canceled', 'touch it');
  const { tool_call_id: id } = await client.tool('PENDING');
  const data = { kind: 'TOOL_CALL_CONFIRMATION', tool_call_id: id, selected_option_id: 'proceed_once' };
  const [canceled, answered] = await Promise.all([
    client.call('tasks/cancel'),
    client.call('message/stream', { message: { content: { data } } }),
  ]);
  expect(canceled).toMatchObject({ result: { accepted: true } });
  expect(answered).toMatchObject({ error: { code: -32050, data: { selected_option_id: 'cancel' } } });
  await client.state('canceled');
  const statuses = client.seen.flatMap(({ kind, status }) => (kind === 'TOOL_CALL_UPDATE' ? [status] : []));
  expect(statuses).toEqual(['PENDING', 'CANCELLED']);
  expect(existsSync(join(folder, 'workspace', 'made'))).toBe(false);
});

test('a question that the engine asks after the cancel is denied, also where policies would allow it', () => {
  const { engine, session, events } = openHub({ allowedBy: () => ({ surface: 'server' }) });
  session.submit(prompt('one'));
  session.cancel(bob);
  engine.report({ type: 'tool', call: waitingShell('late') });
  expect(engine.answered).toEqual([{ callId: 'late', answer: { optionId: 'cancel' } }]);
  expect(() => session.answer('late', { optionId: 'proceed_once' }, alice)).toThrow('was answered "cancel"');
  const statuses = events.flatMap((event) => (event.type === 'tool' ? [event.call.status] : []));
  expect(statuses).not.toContain('executing');
  expect(statuses.at(-1)).toBe('cancelled');
});

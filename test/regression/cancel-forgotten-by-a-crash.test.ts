import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call, say } from '../../src/demo/reply.js';
import { lastPrompt, lastToolResult } from '../../src/demo/script.js';
import { goOn, twoLines } from '../support/scripts.js';
import { followTask, promptTask } from '../support/follow-task.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A model that always wants one more tool: the first stops until the test lets it go on. */
const model = await startModelServer((request) => {
  if (lastPrompt(request).includes('hello')) return { chunks: [[say('Hello.')]] };
  const command = lastToolResult(request) ? 'touch second' : twoLines;
  return { chunks: [[call('run_shell_command', { command })]] };
});
afterAll(() => model.close());

test('a cancel that was accepted holds after kill -9: no tool runs, no question is asked again', async () => {
  const folder = temporaryFolder();
  const served = await startServe({ folder, modelUrl: model.url });
  const running = await promptTask(served, 'running', 'work');
  const asked = await running.pending();
  await running.answer(asked['tool_call_id'], 'proceed_once');
  await running.find(({ live_content: output }) => String(output).includes('line 1'));
  const waiting = await promptTask(served, 'waiting', 'work');
  const { tool_call_id: question } = await waiting.pending();

  const accepted = await Promise.all([running.call('tasks/cancel'), served.post('tasks/waiting/cancel', {})]);
  served.kill('SIGKILL');
  expect(accepted).toMatchObject([{ result: { accepted: true } }, { status: 202 }]);
  await served.exit;
  const requests = model.requests.length;

  const after = await startServe({ folder, modelUrl: model.url, args: ['--allow-tool', 'run_shell_command'] });
  for (const taskId of ['running', 'waiting']) {
    const client = await followTask(after, taskId);
    await client.find(({ kind, final }) => kind === 'STATE_CHANGE' && final === true);
    expect(client.seen.filter(({ final }) => final === true)).toMatchObject([{ state: 'canceled' }]);
    const last = client.seen.findLast(({ kind }) => kind === 'TOOL_CALL_UPDATE');
    expect(last).toMatchObject({ status: 'CANCELLED', ...(taskId === 'waiting' ? { tool_call_id: question } : {}) });
    if (taskId === 'waiting') expect(last).toMatchObject({ metadata: { resolvedBy: { surface: 'a2a' } } });
    expect(client.seen.find(({ kind }) => kind === 'CONSOLE_LOG')).toMatchObject({
      content: { text: expect.stringContaining('cancel') as string },
    });
    expect(model.requests.filter((request) => !lastPrompt(request).includes('hello'))).toHaveLength(requests);

    client.forget();
    await client.prompt('hello again');
    await client.state('completed');
    expect(client.text).toBe('Hello.');
    client.close();
  }
  goOn(join(folder, 'workspace'));
  expect(existsSync(join(folder, 'workspace', 'second'))).toBe(false);
});

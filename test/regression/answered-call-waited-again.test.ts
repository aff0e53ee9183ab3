import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { followTask, promptTask } from '../support/follow-task.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const model = await startModelServer(scriptOf({ touch: [call('run_shell_command', { command: 'touch made' })] }));
afterAll(() => model.close());

const preload = pathToFileURL(resolve('test/support/late-answer.js')).href;

/** Core tells a hook before it asks: this one stops there until the file `go` exists. */
function stopBeforeAsking(folder: string): void {
  const command = `touch '${folder}/asking'; until [ -e '${folder}/go' ]; do sleep 0.05; done`;
  const hooks = { Notification: [{ matcher: '*', hooks: [{ type: 'command', command }] }] };
  mkdirSync(join(folder, 'workspace', '.gemini'), { recursive: true });
  writeFileSync(join(folder, 'workspace', '.gemini', 'settings.json'), JSON.stringify({ hooks }));
}

test('an answer that is being stored while core asks its question again is the answer to that one', async () => {
  const folder = temporaryFolder();
  const before = await startServe({ folder, modelUrl: model.url });
  const first = await promptTask(before, 'asked', 'touch it');
  const { tool_call_id: callId } = await first.pending();
  await first.state('input-required');
  before.kill('SIGKILL');
  await before.exit;

  stopBeforeAsking(folder);
  const env = { NODE_OPTIONS: `--import ${preload}`, LATE_ANSWER_FOLDER: folder };
  const client = await followTask(await startServe({ folder, modelUrl: model.url, env }), 'asked');
  await until(() => existsSync(join(folder, 'asking')));
  writeFileSync(join(folder, 'hold'), '');
  const answered = client.answer(callId, 'proceed_once');
  await until(() => existsSync(join(folder, 'held')));
  writeFileSync(join(folder, 'go'), '');

  expect(await answered).toMatchObject({ result: { accepted: true, tool_call_id: callId } });
  await client.state('completed');
  expect(existsSync(join(folder, 'workspace', 'made'))).toBe(true);
  const told = client.seen.filter(({ kind }) => kind === 'TOOL_CALL_UPDATE').map(({ status }) => status);
  expect([...new Set(told)]).toEqual(['PENDING', 'EXECUTING', 'SUCCEEDED']);
  expect(told.filter((status) => status === 'PENDING')).toHaveLength(1);
});

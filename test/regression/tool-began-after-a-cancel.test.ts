import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { promptTask } from '../support/follow-task.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const write = [call('write_file', { file_path: 'made', content: 'new\n' })];
const model = await startModelServer(scriptOf({ write }));
afterAll(() => model.close());

const preload = pathToFileURL(resolve('test/support/held-commit.js')).href;

test('a tool that waits for the store when its turn is canceled does not begin', async () => {
  const folder = temporaryFolder();
  const settings = join(folder, 'workspace', '.gemini');
  mkdirSync(settings, { recursive: true });
  writeFileSync(join(settings, 'settings.json'), JSON.stringify({ general: { defaultApprovalMode: 'auto_edit' } }));
  const env = { NODE_OPTIONS: `--import ${preload}`, HELD_COMMIT_FOLDER: folder };
  const served = await startServe({ folder, modelUrl: model.url, env });
  const client = await promptTask(served, 'canceled', 'write it');
  await until(() => existsSync(join(folder, 'held')));

  const canceled = client.call('tasks/cancel');
  // Its answer says that the server has taken the cancel, too.
  await client.call('commands/get');
  served.kill('SIGUSR2');
  expect(await canceled).toMatchObject({ result: { accepted: true } });
  await client.state('canceled');
  expect(existsSync(join(folder, 'workspace', 'made'))).toBe(false);
  expect(await client.tool('CANCELLED')).toMatchObject({ tool_name: 'write_file' });
});

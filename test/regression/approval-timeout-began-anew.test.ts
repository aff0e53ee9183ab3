import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite.js';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { scriptOf } from '../support/scripts.js';
import { startServe, type ServeProcess } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { WireClient } from '../support/wire-client.js';

const model = await startModelServer(scriptOf({ touch: [call('run_shell_command', { command: 'touch made' })] }));
afterAll(() => model.close());

function follow({ base }: ServeProcess): Promise<WireClient> {
  return WireClient.connect(`${base.replace('http', 'ws')}/ws?taskId=asked&after=0`);
}

/** Makes everything that happened an hour and a half older. */
async function age(file: string): Promise<void> {
  // The tables may lack what a killed server did last.
  await (await openSqliteStore(file)).close();
  const database = new Database(file);
  database.exec(`update events set body = json_set(body, '$.at',
    strftime('%Y-%m-%dT%H:%M:%fZ', json_extract(body, '$.at'), '-90 minutes'))`);
  database.close();
}

test('--approval-timeout counts from the question, not from a restart', async () => {
  const folder = temporaryFolder();
  const args = ['--approval-timeout', '3600'];
  const before = await startServe({ folder, modelUrl: model.url, args });
  await before.post('tasks', { contextId: 'asked' });
  const first = await follow(before);
  await first.prompt('touch it');
  await first.pending();
  await first.state('input-required');
  before.kill('SIGKILL');
  await before.exit;
  await age(join(folder, 'state', 'tasks.db'));

  const client = await follow(await startServe({ folder, modelUrl: model.url, args }));
  expect(await client.tool('CANCELLED')).toMatchObject({
    metadata: { resolvedBy: { surface: 'server', client: 'timeout' } },
  });
  await client.state('completed');
});

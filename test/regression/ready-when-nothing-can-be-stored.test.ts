import { execFileSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { connectTo } from '../../src/stores/postgres/postgres-database.js';
import { scriptOf } from '../support/scripts.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { usePostgres } from '../support/use-postgres.js';

const model = await startModelServer(scriptOf({}));
const database = usePostgres();
afterAll(() => model.close());

/** What whoever looks after the server, and whoever wants something of it, see. */
async function looks(served: ServeProcess) {
  const { base } = served;
  const [health, ready, created] = [
    await fetch(`${base}/health`),
    await fetch(`${base}/ready`),
    await served.post('tasks', { contextId: `task-${Math.random()}` }),
  ];
  const code = async (response: Response) => ((await response.json()) as { error?: { code?: string } }).error?.code;
  return {
    health: health.status,
    ready: [ready.status, await code(ready)],
    created: [created.status, await code(created)],
  };
}

const well = { health: 200, ready: [200, undefined], created: [201, undefined] };
const refused = { health: 200, ready: [503, 'store-unavailable'], created: [503, 'store-unavailable'] };

test('a disk that takes nothing more: alive, not ready, and well again when there is room', async () => {
  const served = await startServe({ folder: temporaryFolder(), modelUrl: model.url });
  expect(await looks(served)).toEqual(well);
  // To the process this is a disk that is full.
  const limit = (bytes: string) => execFileSync('prlimit', ['--pid', String(served.pid), `--fsize=${bytes}:`]);
  limit('1');
  expect(await looks(served)).toEqual(refused);
  limit('unlimited');
  expect(await looks(served)).toEqual(well);
});

test('a database that became read-only: alive, not ready, and well again when it can be written', async () => {
  const url = await database.server.newPlace();
  const served = await startServe({ folder: temporaryFolder(), modelUrl: model.url, args: ['--store', url] });
  expect(await looks(served)).toEqual(well);
  const admin = connectTo(url);
  const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
    await admin.query(
      `set default_transaction_read_only = off; alter role ada set default_transaction_read_only = ${value}`,
    );
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null',
    );
  };
  await setReadOnly('on');
  expect(await looks(served)).toEqual(refused);
  await setReadOnly('off');
  expect(await looks(served)).toEqual(well);
  await admin.close();
});

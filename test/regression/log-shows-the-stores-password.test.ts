import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, test } from 'vitest';
import { mainScript } from '../support/live.js';
import { startPostgres } from '../support/postgres.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);

test('a server says where its store is, without the password', async () => {
  const database = await startPostgres();
  try {
    const { origin, port } = { origin: await database.newPlace(), port: database.port };
    const client = new pg.Client(origin);
    await client.connect();
    await client.query(`alter user ada password 'hu@sh'`);
    await client.end();
    const store = origin.replace('secret', 'hu@sh');
    const served = await startServe({
      folder: temporaryFolder(),
      modelUrl: 'http://127.0.0.1:9',
      env: { COSESSION_LOG_LEVEL: 'debug' },
      args: ['--store', store],
    });
    expect(await served.logged('listening')).toMatchObject({ store: `postgres://127.0.0.1:${port}/postgres` });
    expect(JSON.stringify(served.log)).not.toMatch(/hu@|sh@/);
  } finally {
    await database.remove();
  }
});

test.each([
  'postgres://user:hush@127.0.0.1:9/tasks',
  'postgres://user:hu@sh@127.0.0.1:9/tasks',
  'postgres://user:hu/sh@127.0.0.1:9/tasks',
  'postgres://user:12/hush@127.0.0.1:9/tasks',
  'postgres://user:x@hush/y@127.0.0.1:9/tasks',
  'postgres://user:hu?sh@127.0.0.1:9/tasks',
  'postgres://127.0.0.1:9/tasks?user=me&password=hush',
  'postgress://user:hush@127.0.0.1/tasks',
  'user:hush@127.0.0.1/tasks',
  's3://id:hush@bucket',
  'gcs://id:hush@bucket',
])('a server that cannot open %s does not repeat the password', async (store) => {
  const env = { ...process.env, COSESSION_STATE_DIR: temporaryFolder() };
  const ran = run(process.execPath, [mainScript, 'serve', '--port', '0', '--store', store], { env });
  const { stdout, stderr } = await ran.then(
    () => ({ stdout: '', stderr: 'it was opened' }),
    (error: { stdout: string; stderr: string }) => error,
  );
  expect(stderr).toContain('store');
  expect(stdout + stderr).not.toMatch(/hu[^a-z ]?sh|\bhu\b|\bsh\b/);
});

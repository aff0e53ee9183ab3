import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { useStorePlaces } from '../support/store-places.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const model = await startModelServer(scriptOf({}));
const places = useStorePlaces();
afterAll(() => model.close());

const tables = [
  'events',
  'tasks',
  'turns',
  'summaries',
  'checkpoints',
  'checkpoint_entries',
  'artifacts',
  'servers',
  'claims',
];

test.each(places)('%s: a server starts and works on tables that a newer one has added to', async (_, placeIn) => {
  const folder = temporaryFolder();
  const { url, change } = await placeIn(folder);
  const start = () => startServe({ folder: temporaryFolder(), modelUrl: model.url, args: ['--store', url] });
  const before = await start();
  const say = (text: string) => ({ contextId: 'one', userMessage: { kind: 'text-content', text } });
  await eventsOf(await before.post('message/stream', say('hello')));
  before.kill('SIGTERM');
  await before.exit;
  await change((name) =>
    [
      ...tables.map((table) => `alter table ${name}${table} add column more text not null default ''`),
      `insert into ${name}migrations (version, at) values (99, '2030-01-01')`,
      `create table if not exists ${name}compatibility (version integer primary key, since integer not null)`,
      `insert into ${name}compatibility (version, since) values (99, 3)`,
    ].join(';'),
  );

  const older = await start();
  const events = await eventsOf(await older.post('message/stream', say('and again')));
  expect(events.at(-1)?.data).toMatchObject({ state: 'completed' });
  expect((await fetch(`${older.base}/tasks/one`, { method: 'DELETE' })).status).toBe(204);
  older.kill('SIGTERM');
  expect(await older.exit).toBe(0);

  await change((name) => `update ${name}compatibility set since = 99 where version = 99`);
  await expect(start()).rejects.toThrow('was not logged: cosession: the store');
});

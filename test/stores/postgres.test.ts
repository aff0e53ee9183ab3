import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/stores/open.js';
import { connectTo } from '../../src/stores/postgres/postgres-database.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { storeContract } from './contract.js';
import { eventOf } from './samples.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

storeContract('postgres', async () => ({ url: await server.newPlace(), env: {} }));

const open = (url: string) => openStore(url, { stateDir: '/nowhere', env: {} });

test('many servers may open a new database at once', async () => {
  const url = await server.newPlace();
  const stores = await Promise.all(Array.from({ length: 6 }, () => open(url)));
  await Promise.all(stores.map((store, index) => store.append(eventOf(`session-${index}`, 1))));
  for (const index of stores.keys()) expect(await stores[0]?.read(`session-${index}`, 0, 9)).toHaveLength(1);
  await Promise.all(stores.map((store) => store.close()));
});

test('a restart of the database loses nothing and is waited for', async () => {
  const store = await open(await server.newPlace());
  await store.append(eventOf('s', 1));
  await server.stop();
  const appends = [store.append(eventOf('s', 2)), store.append(eventOf('s', 3))];
  const read = store.read('s', 0, 1);
  await server.start();
  await Promise.all(appends);
  expect(await read).toEqual([eventOf('s', 1)]);
  expect((await store.read('s', 0, 9)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  await store.close();
});

test('a commit waits for the disk, even where the user does not', async () => {
  const url = await server.newPlace();
  const ours = connectTo(url);
  await ours.query('alter role ada set synchronous_commit = off');
  const other = connectTo(url);
  const setting = "select current_setting('synchronous_commit') as value";
  expect(await other.query(setting)).toEqual([{ value: 'on' }]);
  await ours.query('alter role ada reset synchronous_commit');
  await Promise.all([ours.close(), other.close()]);
});

test('a database of a newer cosession is left alone, unless that says that older ones may use it', async () => {
  const url = await server.newPlace();
  await (await open(url)).close();
  const database = connectTo(url);
  await database.query(
    'insert into cosession_migrations values (99, now()); insert into cosession_compatibility values (99, 98)',
  );
  await expect(open(url)).rejects.toThrow(
    'it was created by a newer cosession (schema 99, needs at least 98; this one has 10)',
  );
  await database.query('update cosession_compatibility set since = 4');
  await (await open(url)).close();
  await database.close();
});

test('what cannot be opened is told in one sentence, without user and password', async () => {
  const at = `127.0.0.1:${server.port}`;
  await expect(open(`postgres://ada:wrong@${at}/postgres`)).rejects.toThrow(
    `the store postgres://${at}/postgres cannot be opened: password authentication failed for user "ada"`,
  );
  await expect(open(`postgres://ada:secret@${at}/nothing`)).rejects.toThrow(
    `the store postgres://${at}/nothing cannot be opened: database "nothing" does not exist`,
  );
  await expect(open('postgres://ada:secret@127.0.0.1:1/postgres')).rejects.toThrow(
    'the store postgres://127.0.0.1:1/postgres cannot be opened: connect ECONNREFUSED 127.0.0.1:1',
  );
});

import { afterEach, expect, test } from 'vitest';
import { openPlaces, type OpenPlaces } from '../../src/stores/open-places.js';
import { openStore } from '../../src/stores/open.js';
import type { Store } from '../../src/stores/store.js';
import { usePostgres } from '../support/use-postgres.js';

const database = usePostgres();
const closing: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function join(url: string, server: string): Promise<OpenPlaces & { readonly store: Store }> {
  const store = await openStore(url, { stateDir: '/nowhere', env: {}, server });
  await store.saveServer({ leaseMs: 600_000 });
  const places = await openPlaces(url, { server, limit: 2 });
  closing.push(
    () => places.close?.(),
    () => store.close(),
  );
  return { ...places, store };
}

test('the servers of a database share the places of an owner, however many ask at once', async () => {
  const url = await database.server.newPlace();
  const servers = [await join(url, 'a'), await join(url, 'b'), await join(url, 'c')];
  const tries = await Promise.all(
    servers.flatMap((server, number) => ['1', '2', '3'].map((id) => server.take('ada', `${number}.${id}`))),
  );
  expect(tries.filter(Boolean)).toHaveLength(2);
  expect(await servers[0]?.take('bob', 'bob')).toBe(true);
});

test('a place that is asked for again is the same one, and leaving makes it free', async () => {
  const url = await database.server.newPlace();
  const [a, b] = [await join(url, 'a'), await join(url, 'b')];
  expect([await a.take('ada', '1'), await a.take('ada', '1'), await b.take('ada', '2')]).toEqual([true, true, true]);
  expect(await b.take('ada', '3')).toBe(false);
  expect(await b.take('ada', '2')).toBe(true);
  await a.leave(['1', 'unknown']);
  expect(await b.take('ada', '3')).toBe(true);
});

test('the places of a server that is gone are free: once its lease has expired, or it was found dead', async () => {
  const url = await database.server.newPlace();
  const [a, b] = [await join(url, 'a'), await join(url, 'b')];
  for (const id of ['1', '2']) expect(await a.take('ada', id)).toBe(true);
  expect(await b.take('ada', '3')).toBe(false);
  await a.store.saveServer({ leaseMs: -1 });
  expect(await b.take('ada', '3')).toBe(true);
  // It was only paused: what it holds counts again.
  await a.store.saveServer({ leaseMs: 600_000 });
  expect(await b.take('ada', '4')).toBe(false);
  await b.store.deleteServer('a');
  expect(await b.take('ada', '4')).toBe(true);
  expect(await b.take('ada', '5')).toBe(false);
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { SessionEvent } from '../../src/domain/events.js';
import { openStore } from '../../src/stores/open.js';
import type { Store } from '../../src/stores/store.js';
import { checkStore } from '../../src/stores/transfer/check-store.js';
import { copyStore, type CopyProgress } from '../../src/stores/transfer/copy-store.js';
import { readPieces, storedTasks } from '../../src/stores/transfer/read-pieces.js';
import { readTaskFile, writeTaskFile } from '../../src/stores/transfer/task-file.js';
import { startS3 } from '../support/s3-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { usePostgres } from '../support/use-postgres.js';
import { artifactOf, eventOf, taskOf } from './samples.js';

const database = usePostgres();
const open = (url: string, env = {}): Promise<Store> => openStore(url, { stateDir: '/nowhere', env });
const sqlite = (): string => `sqlite:${join(temporaryFolder(), 'tasks.db')}`;
const nothing = (): void => {};

/** Three tasks: with everything, with many events, with nothing. */
async function fill(store: Store): Promise<void> {
  for (const id of ['full', 'long', 'bare']) await store.claim(id);
  await store.saveTask(taskOf('full', { minute: 3, owner: 'token:ada', metadata: { title: 'Tür' } }));
  await store.saveTask(taskOf('long', { minute: 2 }));
  await store.saveTask(taskOf('bare', { minute: 1 }));
  const prompt: SessionEvent = {
    type: 'prompt',
    text: 'a \u0000 b',
    origin: { surface: 'a2a' },
    seq: 1,
    at: '2026-01-01T00:00:00.000Z',
    sessionId: 'full',
    turnId: 'turn-1',
  };
  const turn: SessionEvent = { ...prompt, type: 'turn', state: 'input-required', seq: 2 };
  await Promise.all([prompt, turn].map((event) => store.append(event)));
  await Promise.all(Array.from({ length: 1201 }, (_, index) => store.append(eventOf('long', index + 1))));
  await store.saveCheckpoint('full', { history: ['one'] });
  await store.saveWebhooks('full', { areOpen: true, body: [{ url: 'https://example.com' }] });
  await store.saveArtifact('full', artifactOf('src/a.bin', 4), Buffer.from([0, 255, 10, 13]));
  for (const id of ['full', 'long', 'bare']) await store.release(id);
}

/** Everything a store holds, in a form that can be compared. */
async function contentOf(store: Store): Promise<unknown> {
  const toNotify = new Set(await store.tasksToNotify());
  const found: unknown[] = [];
  for await (const task of storedTasks(store))
    for await (const piece of readPieces(store, task, toNotify)) found.push(piece);
  const { turns } = await store.turns({ limit: 10 });
  return { found, turns };
}

async function withStores<T>(
  urls: readonly string[],
  use: (a: Store, b: Store, c: Store, d: Store) => Promise<T>,
  env = {},
): Promise<T> {
  const stores: Store[] = [];
  for (const url of urls) stores.push(await open(url, env));
  const [a, b = a, c = a, d = a] = stores;
  try {
    if (!a || !b || !c || !d) throw new Error('give at least one store');
    return await use(a, b, c, d);
  } finally {
    for (const store of stores) await store.close();
  }
}

describe('migrate', () => {
  test('SQLite to PostgreSQL to a bucket and back loses nothing', async () => {
    const s3 = await startS3(['tasks'], temporaryFolder());
    const env = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER', AWS_ENDPOINT_URL: s3.url };
    const [first, ...others] = [sqlite(), await database.server.newPlace(), 's3://tasks', sqlite()];
    try {
      const expected = await withStores([first], async (store) => {
        await fill(store);
        return contentOf(store);
      });
      let from = first;
      for (const to of others) {
        await withStores(
          [from, to],
          async (source, target) => {
            const done = await copyStore(source, target, nothing);
            expect(done).toEqual({ total: 3, copied: 3, skipped: 0, events: 1203 });
            expect(await contentOf(target)).toEqual(expected);
          },
          env,
        );
        from = to;
      }
    } finally {
      await s3.stop();
    }
  });

  test('an interrupted copy continues where it stopped', async () => {
    const [from, to] = [sqlite(), await database.server.newPlace()];
    await withStores([from, to], async (source, target) => {
      await fill(source);
      const expected = await contentOf(source);
      // The second task is interrupted after some of its events.
      const broken: Store = {
        ...target,
        append: (event) => (event.seq > 900 ? Promise.reject(new Error('power cut')) : target.append(event)),
      };
      const seen: CopyProgress[] = [];
      await expect(copyStore(source, broken, (progress) => seen.push(progress))).rejects.toThrow('power cut');
      expect(seen).toEqual([{ total: 3, copied: 1, skipped: 0, events: 2 }]);
      expect(await target.task('long')).toBeUndefined();
      expect(await copyStore(source, target, nothing)).toEqual({ total: 3, copied: 2, skipped: 1, events: 1201 });
      expect(await contentOf(target)).toEqual(expected);
      expect(await copyStore(source, target, nothing)).toMatchObject({ copied: 0, skipped: 3 });
    });
  });

  test('a store that a server uses is not copied, and a task that a server holds is not replaced', async () => {
    const [from, to] = [sqlite(), sqlite()];
    await withStores([from, from, to, to], async (source, server, target, holder) => {
      await fill(source);
      await server.saveServer({ leaseMs: 60_000 });
      await expect(copyStore(source, target, nothing)).rejects.toThrow('a server is using the store: stop it first');
      await server.deleteServer(server.server);
      await holder.saveServer({ leaseMs: 60_000 });
      await holder.claim('full');
      await expect(copyStore(source, target, nothing)).rejects.toThrow('a server is using the task "full"');
      // Its lease expires: it was killed.
      await holder.saveServer({ leaseMs: 0 });
      expect(await copyStore(source, target, nothing)).toMatchObject({ copied: 3 });
    });
  });
});

describe('a file of tasks', () => {
  test.each(['backup.jsonl', 'backup.jsonl.gz'])('%s restores what was there', async (name) => {
    const file = join(temporaryFolder(), name);
    await withStores([sqlite(), sqlite()], async (source, target) => {
      await fill(source);
      expect(await writeTaskFile(file, source, storedTasks(source))).toMatchObject({ copied: 3, events: 1203 });
      const options = { replace: false, onProgress: nothing };
      expect(await readTaskFile(file, target, options)).toMatchObject({ total: 3, copied: 3, skipped: 0 });
      expect(await contentOf(target)).toEqual(await contentOf(source));
      expect(await readTaskFile(file, target, options)).toMatchObject({ copied: 0, skipped: 3 });
      await target.claim('bare');
      await target.saveTask(taskOf('bare', { minute: 9 }));
      await target.release('bare');
      await expect(readTaskFile(file, target, options)).rejects.toThrow('another version of task "bare"; --replace');
      expect(await readTaskFile(file, target, { ...options, replace: true })).toMatchObject({ copied: 3 });
      expect(await contentOf(target)).toEqual(await contentOf(source));
    });
  });

  test('a file that is cut off, damaged or of something else changes nothing', async () => {
    const file = join(temporaryFolder(), 'backup.jsonl.gz');
    await withStores([sqlite(), sqlite()], async (source, target) => {
      await fill(source);
      await writeTaskFile(file, source, storedTasks(source));
      const packed = readFileSync(file);
      const lines = gunzipSync(packed).toString().split('\n');
      const plain = file.replace('.gz', '');
      const restore = (name: string) => readTaskFile(name, target, { replace: false, onProgress: nothing });
      for (const [content, why] of [
        [lines.slice(0, -2).join('\n'), 'is not complete'],
        [lines.filter((line) => !line.includes('"type":"end"')).join('\n'), 'holds 0 of 3 tasks'],
        ['{"name":"package"}', 'was not made by'],
        ['not JSON', 'was not made by'],
        ['{"cosession":"tasks","format":2}', 'newer cosession'],
      ] as const) {
        writeFileSync(plain, content);
        await expect(restore(plain)).rejects.toThrow(why);
      }
      writeFileSync(file, packed.subarray(0, packed.length / 2));
      await expect(restore(file)).rejects.toThrow('unexpected end of file');
      await expect(restore('/nowhere/backup')).rejects.toThrow('ENOENT');
      expect((await target.tasks({ limit: 10 })).total).toBe(0);
    });
  });
});

test('a check finds missing events and artifacts', async () => {
  await withStores([sqlite()], async (store) => {
    await fill(store);
    expect(await checkStore(store, nothing)).toEqual({ tasks: 3, events: 1203, problems: [] });
    const damaged: Store = {
      ...store,
      read: async (...asked) => (await store.read(...asked)).filter(({ seq }) => seq !== 700),
      artifact: async () => Buffer.from('x'),
      checkpoint: () => Promise.reject(new Error('not JSON')),
    };
    const { problems } = await checkStore(damaged, nothing);
    expect(problems.filter((problem) => !problem.includes('checkpoint'))).toEqual([
      'task "full": the artifact src/a.bin has 1 of 4 bytes',
      'task "long": the events 700 to 700 are missing',
    ]);
    expect(problems).toContain('task "full": the checkpoint cannot be read: not JSON');
  });
});

import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openBucketStore } from '../../src/stores/bucket/bucket-store.js';
import { createGcsBucket, gcsBucket } from '../../src/stores/bucket/gcs-bucket.js';
import { googleAuthorization } from '../../src/stores/bucket/gcs.js';
import { openStore } from '../../src/stores/open.js';
import { type FakeGcs, startFakeGcs } from '../support/fake-gcs.js';
import { freePort } from '../support/free-port.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { conditionalWrites } from './conditional-writes.js';
import { storeContract } from './contract.js';
import { artifactOf, eventOf, taskOf } from './samples.js';

let gcs: FakeGcs;
beforeAll(async () => {
  gcs = await startFakeGcs();
});
afterAll(() => gcs.close());

let buckets = 0;
const newBucket = (): string => {
  const name = `bucket-${++buckets}`;
  gcs.createBucket(name);
  return name;
};
const open = (url: string, env: Record<string, string> = {}) =>
  openStore(url, { stateDir: '/nowhere', env: { STORAGE_EMULATOR_HOST: gcs.url, ...env } });

storeContract('gcs', async () => ({ url: `gcs://${newBucket()}`, env: { STORAGE_EMULATOR_HOST: gcs.url } }));
conditionalWrites('gcs', () => {
  const url = `gcs://${newBucket()}`;
  return { open: () => open(url), requests: gcs.requests };
});

test('every request brings the token', async () => {
  const guarded = await startFakeGcs({ token: 'secret' });
  const optionsOf = (token: string) => {
    const authorize = async (): Promise<Headers> => new Headers({ authorization: `Bearer ${token}` });
    return { name: 'b', endpoint: guarded.url, authorize };
  };
  await createGcsBucket(optionsOf('secret'), 'project');
  const store = await openBucketStore(gcsBucket(optionsOf('secret')), 'server');
  await store.saveTask(taskOf('t'));
  await store.append(eventOf('t', 1));
  expect((await store.tasks({ limit: 9 })).tasks).toEqual([taskOf('t')]);
  expect(await store.read('t', 0, 9)).toEqual([eventOf('t', 1)]);
  expect(await store.deleteTask('t')).toBe(true);
  await expect(openBucketStore(gcsBucket(optionsOf('wrong')), 'server')).rejects.toThrow('Invalid Credentials');
  await guarded.close();
});

test('[003-6] the layout is the one that other programs know', async () => {
  const bucket = newBucket();
  const store = await open(`gcs://${bucket}`);
  await store.saveTask(taskOf('t', { state: 'completed', minute: 3 }));
  await store.saveCheckpoint('t', [{ role: 'user', parts: [{ text: 'Hello' }] }]);
  await store.saveArtifact('t', artifactOf('src/app.ts', 4), Buffer.from('code'));
  await Promise.all([store.append(eventOf('t', 1)), store.append(eventOf('t', 2))]);
  await store.close();
  const content = (name: string): unknown => gcs.contentOf(bucket, `tasks/t/${name}`);
  expect(JSON.parse(String(content('metadata.json')))).toEqual(taskOf('t', { state: 'completed', minute: 3 }));
  expect(content('state.json')).toBe('{"state":"completed","timestamp":"2026-01-01T00:03:00.000Z"}');
  expect(content('history.json')).toBe('[{"role":"user","parts":[{"text":"Hello"}]}]');
  expect(content('artifacts/src/app.ts')).toBe('code');
  expect(String(content('events/000000000001.jsonl')).split('\n')).toHaveLength(3);
  expect(gcs.namesIn(bucket).toSorted()).toEqual([
    'cosession.json',
    'tasks/t/artifacts.json',
    'tasks/t/artifacts/src/app.ts',
    'tasks/t/events/000000000001.jsonl',
    'tasks/t/history.json',
    'tasks/t/metadata.json',
    'tasks/t/state.json',
  ]);
});

test('events of one moment share an object', async () => {
  const bucket = newBucket();
  const store = await open(`gcs://${bucket}`);
  await Promise.all(Array.from({ length: 500 }, (_, index) => store.append(eventOf('s', index + 1))));
  expect(gcs.namesIn(bucket).filter((name) => name.includes('/events/'))).toHaveLength(1);
  await store.close();
});

test.each([429, 500, 503])('the answer %d is tried again', async (status) => {
  const store = await open(`gcs://${newBucket()}`);
  gcs.failNext(status, 2);
  await store.append(eventOf('s', 1));
  gcs.failNext(status, 2);
  expect(await store.read('s', 0, 9)).toEqual([eventOf('s', 1)]);
  await store.close();
});

test('the answer 403 is not tried again', async () => {
  const store = await open(`gcs://${newBucket()}`);
  gcs.failNext(403, 1);
  await expect(store.append(eventOf('s', 1))).rejects.toMatchObject({
    code: 'store-unavailable',
    cause: { message: 'try again (403)' },
  });
  await store.close();
});

test('how long a server lives is judged by the clock of the storage', async () => {
  let now = Date.parse('2040-01-01T00:00:00.000Z');
  const other = await startFakeGcs({ clock: () => now });
  other.createBucket('clock');
  const store = await open('gcs://clock', { STORAGE_EMULATOR_HOST: other.url });
  await store.saveServer({ leaseMs: 60_000 });
  now += 50_000;
  expect(await store.servers()).toMatchObject([{ leftMs: 10_000 }]);
  now += 20_000;
  expect(await store.servers()).toMatchObject([{ leftMs: -10_000 }]);
  await store.close();
  await other.close();
});

test('without a bucket in the url the variable of the A2A server counts, then its default', async () => {
  await expect(open('gcs://', { A2A_GCS_BUCKET: 'mine' })).rejects.toThrow(
    'the store gcs://mine cannot be opened: there is no bucket mine; set GOOGLE_CLOUD_PROJECT to create it',
  );
  await expect(open('gcs://')).rejects.toThrow('the store gcs://gemini-cli-a2a-tasks cannot be opened');
});

test('with a project the bucket is made', async () => {
  const store = await open('gcs://made', { GOOGLE_CLOUD_PROJECT: 'project' });
  await store.saveTask(taskOf('t'));
  expect(gcs.namesIn('made')).toContain('tasks/t/metadata.json');
  await store.close();
});

test('a storage that cannot be reached is told in one sentence', async () => {
  const host = `127.0.0.1:${await freePort()}`;
  await expect(open('gcs://bucket', { STORAGE_EMULATOR_HOST: host })).rejects.toThrow(
    `the store gcs://bucket cannot be opened: connect ECONNREFUSED ${host}`,
  );
});

test('a service account signs a token for storage, and a key file that is not there is named', async () => {
  const folder = temporaryFolder();
  const keyFile = join(folder, 'key.json');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(
    keyFile,
    JSON.stringify({
      type: 'service_account',
      client_email: 'agent@project.iam.gserviceaccount.com',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      private_key_id: 'key-1',
    }),
  );
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', keyFile);
  const [, claims = ''] = (await googleAuthorization()()).get('authorization')?.split('.') ?? [];
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    iss: 'agent@project.iam.gserviceaccount.com',
    scope: 'https://www.googleapis.com/auth/devstorage.read_write',
  });
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', join(folder, 'missing.json'));
  await expect(googleAuthorization()()).rejects.toThrow('missing.json does not exist');
  vi.unstubAllEnvs();
});

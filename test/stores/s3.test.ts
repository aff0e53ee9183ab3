import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/stores/open.js';
import { inParallel } from '../../src/stores/bucket/parallel.js';
import { s3Bucket } from '../../src/stores/bucket/s3-bucket.js';
import { freePort } from '../support/free-port.js';
import { type S3Server, startS3 } from '../support/s3-server.js';
import { type StrictS3, startStrictS3 } from '../support/strict-s3.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { conditionalWrites } from './conditional-writes.js';
import { storeContract } from './contract.js';
import { eventOf } from './samples.js';

/** A real S3 server that checks no signature and ignores `If-None-Match`, as older ones do, and a doorman that does both. */
let server: S3Server;
let strict: StrictS3;
let env: Record<string, string> = {};
let strictEnv: Record<string, string> = {};
const names = Array.from({ length: 200 }, (_, index) => `bucket-${index}`);
beforeAll(async () => {
  server = await startS3(names, temporaryFolder());
  env = {
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
    AWS_ENDPOINT_URL_S3: server.url,
    AWS_REGION: 'eu-central-1',
  };
  const sessionToken = 'a token/of=the+moment';
  const secret = { secretAccessKey: 'S3RVER', sessionToken };
  strict = await startStrictS3({ target: server.url, region: 'eu-central-1', ...secret });
  strictEnv = { ...env, AWS_ENDPOINT_URL_S3: strict.url, AWS_SESSION_TOKEN: sessionToken };
});
afterAll(() => Promise.all([strict.close(), server.stop()]));

const newBucket = (): string => `s3://${names.pop()}`;
const open = (url: string, more: Record<string, string> = {}) =>
  openStore(url, { stateDir: '/nowhere', env: { ...env, ...more } });

storeContract('s3', async () => ({ url: newBucket(), env: strictEnv }));
storeContract('an older s3', async () => ({ url: newBucket(), env }));
conditionalWrites('s3', () => {
  const url = newBucket();
  return { open: () => open(url, strictEnv), requests: strict.requests };
});

test('a request is signed with the key, for the region, and with the token', async () => {
  const url = newBucket();
  const refusal = (more: Record<string, string>) => open(url, { ...strictEnv, ...more }).catch(String);
  expect(await refusal({ AWS_SECRET_ACCESS_KEY: 'wrong' })).toContain('(SignatureDoesNotMatch)');
  expect(await refusal({ AWS_REGION: 'us-east-1' })).toContain('(AuthorizationHeaderMalformed)');
  expect(await refusal({ AWS_SESSION_TOKEN: 'of yesterday' })).toContain('(InvalidToken)');
});

test('more objects than fit on one page of a listing', async () => {
  const url = newBucket();
  const bucket = s3Bucket({
    name: url.slice('s3://'.length),
    endpoint: server.url,
    region: 'eu-central-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  });
  const keys = Array.from({ length: 1005 }, (_, index) => `many/${String(index).padStart(4, '0')}`);
  await inParallel(keys, (key) => bucket.put(key, Buffer.from('x')));
  expect(await bucket.list('many/')).toEqual(keys);
});

test('what cannot be opened is told in one sentence', async () => {
  await expect(open('s3://nothing')).rejects.toThrow(
    'the store s3://nothing cannot be opened: The specified bucket does not exist (NoSuchBucket)',
  );
  await expect(open('s3://bucket-0', { AWS_ACCESS_KEY_ID: 'wrong' })).rejects.toThrow('(InvalidAccessKeyId)');
  await expect(openStore('s3://bucket-0', { stateDir: '', env: {} })).rejects.toThrow(
    'the store s3://bucket-0 cannot be opened: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set',
  );
  const host = `127.0.0.1:${await freePort()}`;
  await expect(open('s3://bucket-0', { AWS_ENDPOINT_URL_S3: `http://${host}` })).rejects.toThrow(
    `the store s3://bucket-0 cannot be opened: connect ECONNREFUSED ${host}`,
  );
  await expect(open('s3://')).rejects.toThrow('--store must be one of');
});

test('a server that goes away and comes back is waited for', async () => {
  const store = await open(newBucket());
  await store.append(eventOf('s', 1));
  await server.stop();
  const append = store.append(eventOf('s', 2));
  await server.start();
  await append;
  expect(await store.read('s', 0, 9)).toEqual([eventOf('s', 1), eventOf('s', 2)]);
  await store.close();
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bucket } from '../../src/stores/bucket/bucket.js';
import { openBucketStore } from '../../src/stores/bucket/bucket-store.js';
import { gcsBucket } from '../../src/stores/bucket/gcs-bucket.js';
import type { Store } from '../../src/stores/store.js';
import { type FakeGcs, startFakeGcs } from '../support/fake-gcs.js';
import { until } from '../support/until.js';
import { eventOf, taskOf } from './samples.js';

let gcs: FakeGcs;
beforeAll(async () => {
  gcs = await startFakeGcs({ pageSize: 1000 });
});
afterAll(() => gcs.close());

let buckets = 0;
const newBucket = (): string => {
  gcs.createBucket(`bucket-${++buckets}`);
  return `bucket-${buckets}`;
};
const bucketOf = (name: string): Bucket => gcsBucket({ name, endpoint: gcs.url, authorize: async () => new Headers() });
const open = (name: string, server = 'server'): Promise<Store> =>
  openBucketStore(bucketOf(name), server, { lingerMs: 0 });
const segmentsIn = (bucket: string): string[] => gcs.namesIn(bucket).filter((name) => name.includes('/events/'));
const seqsOf = async (store: Store, after: number, limit = 1000): Promise<number[]> =>
  (await store.read('s', after, limit)).map(({ seq }) => seq);
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Each in an object of its own. */
async function append(store: Store, from: number, to: number): Promise<void> {
  for (const seq of numbers(from, to)) await store.append(eventOf('s', seq));
}

test('the objects of a long session are few, and every event of it is read once', async () => {
  const bucket = newBucket();
  const store = await open(bucket);
  await append(store, 1, 140);
  await store.close();
  expect(segmentsIn(bucket)).toEqual([1, 65, 129, ...numbers(130, 140)].map(segmentName));

  const again = await open(bucket);
  expect(await seqsOf(again, 0)).toEqual(numbers(1, 140));
  expect(await seqsOf(again, 63, 3)).toEqual([64, 65, 66]);
  expect(await seqsOf(again, 100, 2)).toEqual([101, 102]);
  await append(again, 141, 141);
  expect(await seqsOf(again, 139)).toEqual([140, 141]);
  await again.close();
});

test.each([0, 1, 30, 62])('a server that dies after %i deletions of a merge leaves a whole session', async (count) => {
  const bucket = newBucket();
  gcs.refuseDeletionsAfter(count);
  const store = await open(bucket);
  await append(store, 1, 70);
  await store.close();
  gcs.refuseDeletionsAfter(Infinity);
  expect(segmentsIn(bucket)).toHaveLength(70 - count);

  const again = await open(bucket);
  for (const after of [0, 1, count, 40, 63, 64, 69])
    expect(await seqsOf(again, after), `after ${after}`).toEqual(numbers(after + 1, 70));
  await again.close();
});

test('what another server wrote in between stays in between', async () => {
  const bucket = newBucket();
  const [ada, bob] = [await open(bucket, 'ada'), await open(bucket, 'bob')];
  await ada.claim('s');
  await append(ada, 1, 20);
  await ada.release('s');
  await bob.claim('s');
  await append(bob, 21, 40);
  await bob.release('s');
  await ada.claim('s');
  await append(ada, 41, 110);
  await ada.close();
  expect(await seqsOf(bob, 0)).toEqual(numbers(1, 110));
  await bob.close();
});

test('who reads while segments are merged misses nothing', async () => {
  const bucket = newBucket();
  const [writer, reader] = [await open(bucket), await open(bucket)];
  const done = new AbortController();
  void append(writer, 1, 70).finally(() => done.abort());
  while (!done.signal.aborted) {
    const seqs = await seqsOf(reader, 0);
    expect(seqs).toEqual(numbers(1, seqs.length));
  }
  await Promise.all([writer.close(), reader.close()]);
});

test('who has read the first segment before it was merged and comes too late for the others looks again', async () => {
  const name = newBucket();
  const writer = await open(name);
  await append(writer, 1, 64);
  let merged: Promise<void> | undefined;
  const bucket = bucketOf(name);
  const get: Bucket['get'] = async (key) => {
    if (key === segmentName(1)) {
      const unmerged = bucket.get(key);
      merged ??= unmerged.then(() => append(writer, 65, 65)).then(() => writer.close());
      return unmerged;
    }
    await until(() => merged !== undefined);
    await merged;
    return bucket.get(key);
  };
  const reader = await openBucketStore({ ...bucket, get }, 'server');
  expect(await seqsOf(reader, 0)).toEqual(numbers(1, 65));
});

test('a task that is deleted while its segments are merged stays deleted, and its id can be used again', async () => {
  const bucket = newBucket();
  const store = await open(bucket);
  await store.saveTask(taskOf('s'));
  await append(store, 1, 65);
  expect(await store.deleteTask('s')).toBe(true);
  await append(store, 1, 66);
  await until(() => segmentsIn(bucket).length === 3);
  expect(await seqsOf(store, 0)).toEqual(numbers(1, 66));
  await store.close();
});

function segmentName(seq: number): string {
  return `tasks/s/events/${String(seq).padStart(12, '0')}.jsonl`;
}

import { unreachable } from '../util/unreachable.js';
import type { Bucket } from './bucket.js';
import { keysOf } from './bucket-keys.js';
import { inParallel } from './parallel.js';
import { readArtifact, readArtifacts } from './stored-shapes.js';
import { type EventWrite, type OtherWrite, runsOf, type Write } from './write.js';
import type { Commit } from './write-queue.js';

export type BucketCommitOptions = { readonly refusesOverwriting: boolean };

/** Tasks are written at the same time, the changes of one task one after the other. */
export function bucketCommit(bucket: Bucket, options: BucketCommitOptions): Commit {
  return async (batch) => {
    const found = new Map<Write, boolean>();
    await inParallel([...new Set(batch.map(taskIdOf))], async (taskId) => {
      for (const run of runsOf(batch.filter((write) => taskIdOf(write) === taskId))) {
        const isFound = Array.isArray(run) ? await putSegment(bucket, run, options) : await apply(bucket, run);
        for (const write of Array.isArray(run) ? run : [run]) found.set(write, isFound);
      }
    });
    return batch.map((write) => found.get(write) ?? false);
  };
}

function taskIdOf(write: Write): string {
  if (write.type === 'event') return write.sessionId;
  return write.type === 'task' ? write.task.id : write.taskId;
}

/** A segment that is there already, word for word, is one whose acknowledgement was lost on the way. */
async function putSegment(
  bucket: Bucket,
  events: readonly EventWrite[],
  options: BucketCommitOptions,
): Promise<boolean> {
  const [first] = events;
  if (first === undefined) return true;
  const key = keysOf(first.sessionId).segment(first.seq);
  const content = Buffer.from(events.map(({ body }) => `${body}\n`).join(''));
  const isThere = async (): Promise<boolean> => content.equals((await bucket.get(key)) ?? Buffer.alloc(0));
  const put = { contentType: 'application/x-ndjson', onlyNew: true };
  if (options.refusesOverwriting) return (await bucket.put(key, content, put)) || isThere();
  if ((await bucket.get(key)) !== undefined) return isThere();
  return bucket.put(key, content, put);
}

async function apply(bucket: Bucket, write: OtherWrite): Promise<boolean> {
  switch (write.type) {
    case 'task': {
      const { id, state, updatedAt: timestamp } = write.task;
      await putJson(bucket, keysOf(id).metadata, write.body);
      await putJson(bucket, keysOf(id).state, JSON.stringify({ state, timestamp }));
      return true;
    }
    case 'checkpoint':
      await putJson(bucket, keysOf(write.taskId).history, write.body);
      return true;
    case 'artifact': {
      const keys = keysOf(write.taskId);
      const entry = readArtifact(write.body);
      await bucket.put(keys.artifact(write.name), write.content, { contentType: entry.mediaType });
      const list = readArtifacts(Buffer.from((await bucket.get(keys.artifactList)) ?? Buffer.from('[]')).toString());
      const others = list.filter(({ name }) => name !== entry.name);
      const entries = [...others, entry].toSorted((a, b) => (a.name < b.name ? -1 : 1));
      await putJson(bucket, keys.artifactList, JSON.stringify(entries));
      return true;
    }
    case 'delete':
      return deleteTask(bucket, write.taskId);
    default:
      return unreachable(write);
  }
}

/** The record goes last: what was begun and not finished can be asked for again. */
async function deleteTask(bucket: Bucket, taskId: string): Promise<boolean> {
  const { folder, metadata } = keysOf(taskId);
  const keys = await bucket.list(folder);
  await inParallel(
    keys.filter((key) => key !== metadata),
    (key) => bucket.delete(key),
  );
  await bucket.delete(metadata);
  return keys.includes(metadata);
}

async function putJson(bucket: Bucket, key: string, body: string): Promise<void> {
  await bucket.put(key, Buffer.from(body), { contentType: 'application/json' });
}

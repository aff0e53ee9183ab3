import { unreachable } from '../util/unreachable.js';
import type { Bucket } from './bucket.js';
import { claimInBucket, type BucketTarget, holderInBucket, type PutNew, releaseInBucket } from './bucket-claims.js';
import { keysOf, serverKey } from './bucket-keys.js';
import { inParallel } from './parallel.js';
import { type SegmentMerger, segmentType } from './segment-merger.js';
import { readArtifact, readArtifacts } from './stored-shapes.js';
import { type EventWrite, guardedTask, type OtherWrite, runsOf, type Write } from './write.js';
import type { Commit } from './write-queue.js';

export type BucketCommitOptions = {
  readonly refusesOverwriting: boolean;
  /** The name of this server. */
  readonly server: string;
  readonly merger: SegmentMerger;
};

/** Tasks are written at the same time, the changes of one task one after the other. */
export function bucketCommit(bucket: Bucket, { server, refusesOverwriting, merger }: BucketCommitOptions): Commit {
  const settleMs = refusesOverwriting ? 0 : 300;
  const target: BucketTarget = { bucket, server, putNew: putNewIn(bucket, refusesOverwriting), settleMs };
  return async (batch) => {
    const found = new Map<Write, boolean>();
    await inParallel([...new Set(batch.map(subjectOf))], async (subject) => {
      let isBroken = false;
      for (const run of runsOf(batch.filter((write) => subjectOf(write) === subject))) {
        const isFound: boolean = Array.isArray(run)
          ? !isBroken && (await putSegment(target, run, merger))
          : await apply(target, run, merger);
        // A log that another server has gone on with must not be gone on with behind its events.
        isBroken ||= Array.isArray(run) && !isFound;
        for (const write of Array.isArray(run) ? run : [run]) found.set(write, isFound);
      }
    });
    return batch.map((write) => found.get(write) ?? false);
  };
}

/** The task it is about, or that it is about servers. */
function subjectOf(write: Write): string {
  if (write.type === 'server' || write.type === 'delete-server') return 'servers';
  if (write.type === 'event') return `task ${write.sessionId}`;
  return `task ${write.type === 'task' ? write.task.id : write.taskId}`;
}

/** What is there already, word for word, is something whose acknowledgement was lost on the way. */
function putNewIn(bucket: Bucket, refusesOverwriting: boolean): PutNew {
  return async (key, content, contentType) => {
    const isThere = async (): Promise<boolean> => Buffer.from((await bucket.get(key)) ?? []).equals(content);
    const put = { contentType, onlyNew: true };
    if (refusesOverwriting) return (await bucket.put(key, content, put)) || isThere();
    if ((await bucket.get(key)) !== undefined) return isThere();
    return bucket.put(key, content, put);
  };
}

async function putSegment(
  { putNew }: BucketTarget,
  events: readonly EventWrite[],
  merger: SegmentMerger,
): Promise<boolean> {
  const [first] = events;
  if (first === undefined) return true;
  const content = Buffer.from(events.map(({ body }) => `${body}\n`).join(''));
  const key = keysOf(first.sessionId).segment(first.seq);
  const isStored = await putNew(key, content, segmentType);
  if (isStored) merger.stored(first.sessionId, key);
  return isStored;
}

async function apply(target: BucketTarget, write: OtherWrite, merger: SegmentMerger): Promise<boolean> {
  const { bucket, server } = target;
  const guarded = guardedTask(write);
  if (guarded !== undefined && ((await holderInBucket(bucket, guarded)) ?? server) !== server) return false;
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
    case 'webhooks': {
      const { webhooks, notify } = keysOf(write.taskId);
      // The mark is there as long as the webhooks are open, whatever happens in between.
      if (write.areOpen) await bucket.put(notify, Buffer.alloc(0), { contentType: 'text/plain' });
      await putJson(bucket, webhooks, write.body);
      if (!write.areOpen) await bucket.delete(notify);
      return true;
    }
    case 'delete':
      await merger.forget(write.taskId);
      return deleteTask(bucket, write.taskId);
    case 'claim':
      // Another server may have gone on with it since: only what follows now can be merged.
      await merger.forget(write.taskId);
      return claimInBucket(target, write.taskId, write.from);
    case 'release':
      return releaseInBucket(bucket, write.taskId, server);
    case 'server':
      await putJson(bucket, serverKey(server), write.body);
      return true;
    case 'delete-server':
      await bucket.delete(serverKey(write.id));
      return true;
    default:
      return unreachable(write);
  }
}

/** The record goes last: what was begun and not finished can be asked for again. */
async function deleteTask(bucket: Bucket, taskId: string): Promise<boolean> {
  const { folder, metadata, notify } = keysOf(taskId);
  const keys = await bucket.list(folder);
  await bucket.delete(notify);
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

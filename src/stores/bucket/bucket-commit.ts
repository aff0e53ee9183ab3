import { unreachable } from '../../util/unreachable.js';
import type { Bucket } from './bucket.js';
import { BucketCheckpoints } from './bucket-checkpoints.js';
import { claimInBucket, type BucketTarget, newestClaim, type PutNew, releaseInBucket } from './bucket-claims.js';
import { SegmentKeys } from './bucket-fence.js';
import { keysOf, serverKey } from './bucket-keys.js';
import { putServer } from './bucket-servers.js';
import { TurnPieces } from './bucket-turns.js';
import { saveUsage } from './bucket-usage.js';
import { inParallel } from './parallel.js';
import { type SegmentMerger, segmentType } from './segment-merger.js';
import { readArtifact, readArtifacts } from '../shared/stored-shapes.js';
import { type EventWrite, isGuarded, type OtherWrite, runsOf, type Write } from '../shared/write.js';
import type { Commit, Found } from '../shared/write-queue.js';

export type BucketCommitOptions = {
  readonly refusesOverwriting: boolean;
  /** The name of this server. */
  readonly server: string;
  readonly merger: SegmentMerger;
};

/** Writes different tasks in parallel, and the changes of one task in order. */
export function bucketCommit(bucket: Bucket, { server, refusesOverwriting, merger }: BucketCommitOptions): Commit {
  const settleMs = refusesOverwriting ? 0 : 300;
  const target: BucketTarget = { bucket, server, putNew: putNewIn(bucket, refusesOverwriting), settleMs };
  const place: Place = {
    target,
    keys: new SegmentKeys(),
    merger,
    turns: new TurnPieces(bucket),
    checkpoints: new BucketCheckpoints(bucket),
  };
  return async (batch) => {
    const found = new Map<Write, Found>();
    await inParallel([...new Set(batch.map(subjectOf))], async (subject) => {
      let isBroken = false;
      for (const run of runsOf(batch.filter((write) => subjectOf(write) === subject))) {
        const isEvents = Array.isArray(run);
        const runFound: Found = isEvents ? !isBroken && (await putSegment(place, run)) : await apply(place, run);
        // Once another server has continued the log, nothing may be added after that server's events.
        isBroken ||= isEvents && runFound === false;
        for (const write of isEvents ? run : [run]) found.set(write, runFound);
      }
    });
    return batch.map((write) => found.get(write) ?? false);
  };
}

type Place = {
  readonly target: BucketTarget;
  readonly keys: SegmentKeys;
  readonly merger: SegmentMerger;
  readonly turns: TurnPieces;
  readonly checkpoints: BucketCheckpoints;
};

/** The task that the write changes, or `servers`. */
function subjectOf(write: Write): string {
  return 'taskId' in write ? `task ${write.taskId}` : 'servers';
}

/** If an identical object exists already, its acknowledgement was lost: the write succeeded. */
function putNewIn(bucket: Bucket, refusesOverwriting: boolean): PutNew {
  return async (key, content, contentType) => {
    const isThere = async (): Promise<boolean> => Buffer.from((await bucket.get(key)) ?? []).equals(content);
    const put = { contentType, onlyNew: true };
    if (refusesOverwriting) return (await bucket.put(key, content, put)) || isThere();
    if ((await bucket.get(key)) !== undefined) return isThere();
    return bucket.put(key, content, put);
  };
}

async function putSegment({ target, keys, merger, turns }: Place, events: readonly EventWrite[]): Promise<boolean> {
  const [first] = events;
  if (first === undefined) return true;
  const { taskId, epoch, seq } = first;
  const key = keys.next(taskId, epoch, seq);
  if (key === undefined) return false;
  const content = Buffer.from(events.map(({ body }) => `${body}\n`).join(''));
  if (!(await target.putNew(key, content, segmentType))) return false;
  keys.begun(taskId);
  merger.stored(taskId, key);
  await turns.keep(
    taskId,
    events.flatMap(({ turn }) => turn ?? []),
  );
  return true;
}

/** Storage has no transactions: a write that is in flight while another server claims the task can still arrive. */
async function isHeld({ bucket, server }: BucketTarget, write: OtherWrite): Promise<boolean> {
  if (!isGuarded(write)) return true;
  const claim = await newestClaim(bucket, write.taskId);
  return claim === undefined ? write.epoch === 0 : claim.server === server && claim.epoch === write.epoch;
}

async function apply({ target, keys, merger, turns, checkpoints }: Place, write: OtherWrite): Promise<Found> {
  const { bucket, server } = target;
  if (!(await isHeld(target, write))) return false;
  switch (write.type) {
    case 'task': {
      const { id, state, updatedAt: timestamp } = write.task;
      await putJson(bucket, keysOf(id).metadata, write.body);
      await putJson(bucket, keysOf(id).state, JSON.stringify({ state, timestamp }));
      return true;
    }
    case 'checkpoint':
      await checkpoints.keep(write.taskId, write);
      return true;
    case 'summary':
      await turns.keep(write.taskId, write.turns);
      await putJson(bucket, keysOf(write.taskId).summary, write.body);
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
      // In this order the mark exists whenever the webhooks are open, even after a crash in between.
      if (write.areOpen) await bucket.put(notify, Buffer.alloc(0), { contentType: 'text/plain' });
      await putJson(bucket, webhooks, write.body);
      if (!write.areOpen) await bucket.delete(notify);
      return true;
    }
    case 'delete':
      await merger.forget(write.taskId);
      keys.forget(write.taskId);
      turns.forget(write.taskId);
      checkpoints.forget(write.taskId);
      return deleteTask(bucket, write.taskId);
    case 'claim': {
      // Another server may have continued the task since, so only segments from now on can be merged.
      await merger.forget(write.taskId);
      turns.forget(write.taskId);
      checkpoints.forget(write.taskId);
      const epoch = await claimInBucket(target, write.taskId, write.from);
      if (epoch !== false) keys.claimed(write.taskId, epoch);
      return epoch;
    }
    case 'release':
      keys.released(write.taskId);
      turns.forget(write.taskId);
      await checkpoints.release(write.taskId);
      return releaseInBucket(bucket, write);
    case 'server':
      await putServer(bucket, server, write.body, write.leaseMs);
      return true;
    case 'usage':
      await saveUsage(bucket, server, write.day, write.body);
      return true;
    case 'delete-server':
      await bucket.delete(serverKey(write.id));
      return true;
    default:
      return unreachable(write);
  }
}

/** The record is deleted last, so an interrupted deletion can be repeated. */
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

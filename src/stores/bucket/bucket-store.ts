import { AppError } from '../../domain/errors.js';
import type { SessionEvent } from '../../domain/events.js';
import type { Bucket } from './bucket.js';
import { isPassingInBucket } from './bucket.js';
import { checkpointInBucket } from './bucket-checkpoints.js';
import { holderInBucket } from './bucket-claims.js';
import { bucketCommit } from './bucket-commit.js';
import { keysOf, markerKey, notifyFolder, numberOf, taskToNotify } from './bucket-keys.js';
import { serversIn } from './bucket-servers.js';
import { turnsInBucket } from './bucket-turns.js';
import { pagedTasks, pagedTurns } from '../shared/paged.js';
import { usageInBucket } from './bucket-usage.js';
import { inParallel } from './parallel.js';
import { queuedWrites } from '../shared/queued-writes.js';
import { retry } from '../shared/retry.js';
import { SegmentMerger } from './segment-merger.js';
import type { Store, StoredTask } from '../store.js';
import { readArtifacts, readEvent, readJson, readTask } from '../shared/stored-shapes.js';
import { WriteQueue } from '../shared/write-queue.js';
import { defined } from '../../util/defined.js';

export type BucketStoreOptions = {
  /** How long to collect events for one object, because every object costs money. Default 100. */
  readonly lingerMs?: number;
};

/** How many times to try reading events while their segments are being merged. */
const maxTries = 10;

/**
 * Tasks in object storage. Objects cannot be appended to, so events are stored in segments. There is no index, so listing
 * tasks reads every record. Several servers may share a bucket; each task belongs to one server at a time.
 */
export async function openBucketStore(
  bucket: Bucket,
  server: string,
  { lingerMs = 100 }: BucketStoreOptions = {},
): Promise<Store> {
  const refusesOverwriting = await checkAccess(bucket);
  const patient = patientBucket(bucket);
  const merger = new SegmentMerger(patient);
  const queue = new WriteQueue(bucketCommit(patient, { refusesOverwriting, server, merger }), { lingerMs });
  const text = async (key: string): Promise<string | undefined> => {
    const content = await patient.get(key);
    return content && Buffer.from(content).toString();
  };
  const task = async (key: string): Promise<StoredTask | undefined> => {
    const body = await text(key);
    return body === undefined ? undefined : readTask(body);
  };
  const allTasks = async (): Promise<StoredTask[]> => {
    const folders = await patient.folders('tasks/');
    const tasks = await inParallel(folders, (folder) => task(`tasks/${folder}/metadata.json`));
    return tasks.flatMap((found) => found ?? []);
  };

  return {
    ...queuedWrites({ server, push: (write) => queue.push(write) }),
    async read(sessionId, afterSeq, limit) {
      for (let tries = 0; tries < maxTries; tries++) {
        const segments = segmentsAfter(await patient.list(keysOf(sessionId).events), afterSeq, limit);
        const bodies = await inParallel(segments, text);
        const events = eventsIn(bodies, afterSeq);
        // A listed segment that is gone was merged into one we have read; otherwise try again.
        const isWhole = segments.length === 0 || bodies.at(-1) !== undefined;
        if (isWhole && events.every(({ seq }, index) => seq === afterSeq + 1 + index)) return events.slice(0, limit);
      }
      throw new AppError('store-unavailable', `the events of "${sessionId}" are listed but cannot be read`);
    },
    task: (id) => task(keysOf(id).metadata),
    async tasks(query) {
      // Rejects an invalid token before reading anything.
      pagedTasks([], query);
      return pagedTasks(await allTasks(), query);
    },
    turn: async (sessionId, turnId) => (await turnsInBucket(patient, sessionId)).get(turnId),
    async turns(query) {
      pagedTurns([], query);
      const { taskId: wanted } = query;
      const tasks = wanted === undefined ? await allTasks() : [(await task(keysOf(wanted).metadata)) ?? []].flat();
      const turns = await inParallel(tasks, async ({ id: taskId, owner }) =>
        [...(await turnsInBucket(patient, taskId)).values()].map((turn) => ({
          ...turn,
          taskId,
          ...defined({ owner }),
        })),
      );
      return pagedTurns(turns.flat(), query);
    },
    async summary(taskId) {
      const body = await text(keysOf(taskId).summary);
      return body === undefined ? undefined : readJson(body);
    },
    checkpoint: (taskId) => checkpointInBucket(patient, taskId),
    async artifacts(taskId) {
      return readArtifacts((await text(keysOf(taskId).artifactList)) ?? '[]');
    },
    artifact: (taskId, name) => patient.get(keysOf(taskId).artifact(name)),
    async webhooks(taskId) {
      const body = await text(keysOf(taskId).webhooks);
      return body === undefined ? undefined : readJson(body);
    },
    tasksToNotify: async () => (await patient.list(notifyFolder)).map(taskToNotify),
    servers: () => serversIn(patient),
    usage: (day) => usageInBucket(patient, day),
    holder: (taskId) => holderInBucket(patient, taskId),
    async close() {
      await queue.drained();
      await merger.settled();
    },
  };
}

/**
 * Fails early if the bucket is not writable. Returns whether the storage honours `onlyNew`: some S3 servers ignore the
 * header.
 */
async function checkAccess(bucket: Bucket): Promise<boolean> {
  const marker = Buffer.from('{"layout":1}\n');
  const options = { contentType: 'application/json', onlyNew: true };
  await bucket.put(markerKey, marker, options);
  return !(await bucket.put(markerKey, marker, options));
}

/** Starts at the segment with the event after the cursor. Each segment has at least one event, so `limit` bounds their number. */
function segmentsAfter(listed: readonly string[], afterSeq: number, limit: number): readonly string[] {
  // If several start with the same seq, all but the last are empty: they block late writes.
  const keys = listed.filter((key, index) => numberOf(key) !== numberOf(listed[index + 1] ?? ''));
  const start = keys.findLastIndex((key) => numberOf(key) <= afterSeq + 1);
  const first = Math.max(0, start);
  return keys.slice(first, first + limit + 1);
}

/** Removes duplicates: while segments are being merged, their events exist twice. */
function eventsIn(bodies: readonly (string | undefined)[], afterSeq: number): SessionEvent[] {
  let last = afterSeq;
  return bodies
    .flatMap((body = '') => (body === '' ? [] : body.trimEnd().split('\n').map(readEvent)))
    .filter(({ seq }) => {
      const isNew = seq > last;
      last = Math.max(last, seq);
      return isNew;
    });
}

function patientBucket(bucket: Bucket): Bucket {
  const patiently = <T>(request: () => Promise<T>): Promise<T> => retry(request, { isPassing: isPassingInBucket });
  return {
    put: (...args) => patiently(() => bucket.put(...args)),
    get: (key) => patiently(() => bucket.get(key)),
    getAged: (key) => patiently(() => bucket.getAged(key)),
    list: (prefix) => patiently(() => bucket.list(prefix)),
    folders: (prefix) => patiently(() => bucket.folders(prefix)),
    delete: (key) => patiently(() => bucket.delete(key)),
  };
}

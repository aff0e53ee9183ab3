import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { Bucket } from './bucket.js';
import { closeLog } from './bucket-fence.js';
import { keysOf, numberOf } from './bucket-keys.js';
import type { Guarded } from '../shared/write.js';
import type { Claim } from '../store.js';

/** Creates an object. False if a different one exists already. */
export type PutNew = (key: string, content: Uint8Array, contentType: string) => Promise<boolean>;

export type BucketTarget = {
  readonly bucket: Bucket;
  readonly putNew: PutNew;
  readonly server: string;
  /** Storage that cannot refuse to overwrite keeps the last of two claims. This is how long to wait for a competing one. */
  readonly settleMs: number;
};

/**
 * A claim is an object named by its epoch, the next free number; the newest one is valid. If two servers claim at once, the
 * second finds the number taken. The newest claim is never removed, because its number could then be used twice.
 */
export async function claimInBucket(target: BucketTarget, taskId: string, from?: string): Promise<number | false> {
  const { bucket, putNew, server, settleMs } = target;
  const { claim } = keysOf(taskId);
  const newest = await newestClaim(bucket, taskId);
  if (newest && !['', server, from].includes(newest.server)) return false;
  const epoch = (newest?.epoch ?? 0) + 1;
  if (!(await putNew(claim(epoch), contentOf(server), 'application/json'))) return false;
  if (newest) await bucket.delete(claim(newest.epoch));
  if (settleMs > 0) {
    await sleep(settleMs);
    const now = await newestClaim(bucket, taskId);
    if (now?.server !== server || now.epoch !== epoch) return false;
  }
  // A server that did not release the task may still write.
  if (newest && newest.server !== '') await closeLog(target, taskId, newest.epoch);
  return epoch;
}

export async function releaseInBucket(
  bucket: Bucket,
  { taskId, epoch, to }: Guarded & { to: string },
): Promise<boolean> {
  return bucket.put(keysOf(taskId).claim(epoch), contentOf(to), { contentType: 'application/json' });
}

export async function holderInBucket(bucket: Bucket, taskId: string): Promise<Claim | undefined> {
  const newest = await newestClaim(bucket, taskId);
  return newest?.server === '' ? undefined : newest;
}

/** An empty server name means that the task was released. */
export async function newestClaim(bucket: Bucket, taskId: string): Promise<Claim | undefined> {
  const key = (await bucket.list(keysOf(taskId).claims)).at(-1);
  if (key === undefined) return undefined;
  const content = await bucket.get(key);
  // Another server claimed the task between the two requests.
  if (!content) return newestClaim(bucket, taskId);
  const { server } = claimShape.parse(JSON.parse(Buffer.from(content).toString()));
  return { epoch: numberOf(key), server };
}

const claimShape = z.object({ server: z.string() });

function contentOf(server: string): Buffer {
  return Buffer.from(JSON.stringify({ server }));
}

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { Bucket } from './bucket.js';
import { keysOf, numberOf } from './bucket-keys.js';

/** Puts what is not there yet. False when something else is there. */
export type PutNew = (key: string, content: Uint8Array, contentType: string) => Promise<boolean>;

export type BucketTarget = {
  readonly bucket: Bucket;
  readonly putNew: PutNew;
  readonly server: string;
  /** Storage that cannot refuse to overwrite keeps the last of two claims: how long the other one may be on its way. */
  readonly settleMs: number;
};

/** Which server has a task. An empty name: nobody has it any more. */
type Claim = { readonly number: number; readonly server: string };

/**
 * A claim is an object with the next number, and the newest counts: of two servers that claim at once the second finds
 * the number taken. The newest is never removed, or its number could be given twice.
 */
export async function claimInBucket(
  { bucket, putNew, server, settleMs }: BucketTarget,
  taskId: string,
  from?: string,
): Promise<boolean> {
  const { claim } = keysOf(taskId);
  const newest = await newestClaim(bucket, taskId);
  if (newest?.server === server) return true;
  if (newest && newest.server !== '' && newest.server !== from) return false;
  if (!(await putNew(claim((newest?.number ?? 0) + 1), contentOf(server), 'application/json'))) return false;
  if (newest) await bucket.delete(claim(newest.number));
  if (settleMs === 0) return true;
  await sleep(settleMs);
  return (await holderInBucket(bucket, taskId)) === server;
}

export async function releaseInBucket(bucket: Bucket, taskId: string, server: string): Promise<boolean> {
  const newest = await newestClaim(bucket, taskId);
  if (newest?.server !== server) return false;
  return bucket.put(keysOf(taskId).claim(newest.number), contentOf(''), { contentType: 'application/json' });
}

export async function holderInBucket(bucket: Bucket, taskId: string): Promise<string | undefined> {
  return (await newestClaim(bucket, taskId))?.server || undefined;
}

async function newestClaim(bucket: Bucket, taskId: string): Promise<Claim | undefined> {
  const key = (await bucket.list(keysOf(taskId).claims)).at(-1);
  if (key === undefined) return undefined;
  const content = await bucket.get(key);
  // Another server claimed the task between the two requests.
  if (!content) return newestClaim(bucket, taskId);
  const { server } = claimShape.parse(JSON.parse(Buffer.from(content).toString()));
  return { number: numberOf(key), server };
}

const claimShape = z.object({ server: z.string() });

function contentOf(server: string): Buffer {
  return Buffer.from(JSON.stringify({ server }));
}

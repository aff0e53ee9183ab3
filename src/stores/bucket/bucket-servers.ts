import * as z from 'zod';
import type { Bucket } from './bucket.js';
import { serverKey } from './bucket-keys.js';
import { inParallel } from './parallel.js';
import type { StoredServer } from '../store.js';

/** Renews the server's lease, which starts when the storage receives this. `body`: its other fields. */
export async function putServer(bucket: Bucket, server: string, body: string, leaseMs: number): Promise<void> {
  const content = { ...serverShape.partial().parse(JSON.parse(body)), leaseMs, savedAt: Date.now() };
  await bucket.put(serverKey(server), Buffer.from(JSON.stringify(content)), { contentType: 'application/json' });
}

/** The servers and what is left of their leases, by the clock of the storage, or by ours if the storage does not report age. */
export async function serversIn(bucket: Bucket): Promise<StoredServer[]> {
  const objects = await inParallel(await bucket.list('servers/'), (key) => bucket.getAged(key));
  return objects.flatMap((object) => {
    if (!object) return [];
    const { leaseMs, savedAt, ...server } = serverShape.parse(JSON.parse(Buffer.from(object.content).toString()));
    return [{ ...server, leftMs: leaseMs - (object.ageMs ?? Date.now() - savedAt) }];
  });
}

const serverShape = z.object({
  id: z.string(),
  url: z.string().exactOptional(),
  leaseMs: z.number(),
  savedAt: z.number(),
});

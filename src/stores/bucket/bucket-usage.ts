import type { Bucket } from './bucket.js';
import { serverOfUsage, usageFolder, usageKey } from './bucket-keys.js';
import { inParallel } from './parallel.js';
import { readJson } from '../shared/stored-shapes.js';
import type { StoredUsage } from '../store.js';

/** The first save of a day deletes what servers counted on earlier days. */
export async function saveUsage(bucket: Bucket, server: string, day: string, body: string): Promise<void> {
  const key = usageKey(day, server);
  if ((await bucket.get(key)) === undefined) await forgetBefore(bucket, day);
  await bucket.put(key, Buffer.from(body), { contentType: 'application/json' });
}

async function forgetBefore(bucket: Bucket, day: string): Promise<void> {
  const days = await bucket.folders(usageFolder);
  for (const old of days.filter((each) => each < day))
    await inParallel(await bucket.list(`${usageFolder}${old}/`), (key) => bucket.delete(key));
}

export async function usageInBucket(bucket: Bucket, day: string): Promise<StoredUsage[]> {
  const keys = await bucket.list(`${usageFolder}${day}/`);
  const found = await inParallel(keys, async (key): Promise<StoredUsage[]> => {
    const content = await bucket.get(key);
    return content ? [{ server: serverOfUsage(key), body: readJson(Buffer.from(content).toString()) }] : [];
  });
  return found.flat();
}

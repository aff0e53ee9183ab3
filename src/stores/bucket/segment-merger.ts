import { RecentMap } from '../../util/recent-map.js';
import type { Bucket } from './bucket.js';
import { inParallel } from './parallel.js';

/** So many segments of a session become one. */
const mergedAtOnce = 64;
/** Sessions of which segments are counted; those of the others stay as they are. */
const sessions = 1000;

export const segmentType = 'application/x-ndjson';

/**
 * Keeps the objects of a long session few, for each of them is a request when the session is read. A merged segment takes
 * the place of its first part, which stays: by it a server that was thought dead notices that this one has gone on. Until the other parts are deleted their events are there twice.
 */
export class SegmentMerger {
  readonly #bucket: Bucket;
  readonly #keys = new RecentMap<string, readonly string[]>(sessions);
  readonly #merging = new Map<string, Promise<void>>();

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  /** A segment was stored. Nobody waits for what follows from it. */
  stored(sessionId: string, key: string): void {
    const keys = this.#keys.get(sessionId) ?? [];
    if (keys.length < mergedAtOnce) {
      this.#keys.set(sessionId, [...keys, key]);
      return;
    }
    // The newest stays out of it: should its acknowledgement be lost, it is looked for word for word.
    this.#keys.set(sessionId, [key]);
    const merging = (this.#merging.get(sessionId) ?? Promise.resolve())
      .then(() => merge(this.#bucket, keys))
      // They stay many, which is slow and not wrong.
      .catch(() => {});
    this.#merging.set(sessionId, merging);
    void merging.then(() => this.#merging.get(sessionId) === merging && this.#merging.delete(sessionId));
  }

  /** The session is about to be deleted. Resolves when nothing of it can come back. */
  async forget(sessionId: string): Promise<void> {
    this.#keys.delete(sessionId);
    await this.#merging.get(sessionId);
  }

  async settled(): Promise<void> {
    await Promise.all(this.#merging.values());
  }
}

async function merge(bucket: Bucket, keys: readonly string[]): Promise<void> {
  const [first, ...others] = keys;
  const parts = await inParallel(keys, (key) => bucket.get(key));
  const known = parts.filter((part) => part !== undefined);
  if (first === undefined || known.length < keys.length) return;
  await bucket.put(first, Buffer.concat(known), { contentType: segmentType });
  // Oldest first: whoever looks for an event finds a segment that begins before it and holds it, all the time.
  for (const key of others) await bucket.delete(key);
}

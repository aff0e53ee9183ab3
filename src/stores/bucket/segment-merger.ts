import { RecentMap } from '../../util/recent-map.js';
import type { Bucket } from './bucket.js';
import { inParallel } from './parallel.js';

/** This many segments of a session become one. */
const mergedAtOnce = 64;
/** How many sessions to track; segments of other sessions are not merged. */
const sessions = 1000;

export const segmentType = 'application/x-ndjson';

/**
 * Keeps the number of objects of a long session low, because reading the session takes one request per object. A merged
 * segment replaces its first part under the same key: a server that was presumed dead sees by that key that this server has
 * continued. Until the other parts are deleted, their events exist twice.
 */
export class SegmentMerger {
  readonly #bucket: Bucket;
  readonly #keys = new RecentMap<string, readonly string[]>(sessions);
  readonly #merging = new Map<string, Promise<void>>();

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  /** Call after storing a segment. Merging runs in the background. */
  stored(sessionId: string, key: string): void {
    const keys = this.#keys.get(sessionId) ?? [];
    if (keys.length < mergedAtOnce) {
      this.#keys.set(sessionId, [...keys, key]);
      return;
    }
    // The newest segment is not merged: if its acknowledgement is lost, a retry compares its exact content.
    this.#keys.set(sessionId, [key]);
    const merging = (this.#merging.get(sessionId) ?? Promise.resolve())
      .then(() => merge(this.#bucket, keys))
      // The segments stay separate, which is slow but correct.
      .catch(() => {});
    this.#merging.set(sessionId, merging);
    void merging.then(() => this.#merging.get(sessionId) === merging && this.#merging.delete(sessionId));
  }

  /** Call before deleting or claiming the session. Resolves once no merge can still write to it. */
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
  // Oldest first: at any time, a reader finds the event in the last segment that starts at or before it.
  for (const key of others) await bucket.delete(key);
}

import { RecentMap } from '../../util/recent-map.js';
import type { BucketTarget } from './bucket-claims.js';
import { keysOf } from './bucket-keys.js';
import { segmentType } from './segment-merger.js';
import { readEvent } from '../shared/stored-shapes.js';

/**
 * Chooses the key for the next events of a task. The first segment under a claim has the epoch in its key; later ones do not.
 * A server that takes over a task therefore knows the two keys that the previous one would use next, and puts empty objects
 * there. Storage that refuses to overwrite then rejects everything that arrives late.
 */
export class SegmentKeys {
  readonly #held = new Map<string, { readonly epoch: number; isBegun: boolean }>();
  /** Tasks released recently: this server writes nothing more to them. */
  readonly #released = new RecentMap<string, true>(1000);

  /** Undefined if the events belong to an epoch that is over. */
  next(taskId: string, epoch: number, firstSeq: number): string | undefined {
    const held = this.#held.get(taskId);
    if ((held?.epoch ?? 0) !== epoch || this.#released.has(taskId)) return undefined;
    const { segment } = keysOf(taskId);
    return held && !held.isBegun ? segment(firstSeq, epoch) : segment(firstSeq);
  }

  /** The events were stored. */
  begun(taskId: string): void {
    const held = this.#held.get(taskId);
    if (held) held.isBegun = true;
  }

  claimed(taskId: string, epoch: number): void {
    this.#held.set(taskId, { epoch, isBegun: false });
    this.#released.delete(taskId);
  }

  released(taskId: string): void {
    this.#held.delete(taskId);
    this.#released.set(taskId, true);
  }

  forget(taskId: string): void {
    this.#held.delete(taskId);
    this.#released.delete(taskId);
  }
}

/** Resolves once the server that held the task under this epoch can no longer append to its log. */
export async function closeLog({ bucket, putNew }: BucketTarget, taskId: string, epoch: number): Promise<void> {
  const { events, segment } = keysOf(taskId);
  const isClosed = async (): Promise<boolean> => {
    const next = lastSeq(await newestBody(await bucket.list(events))) + 1;
    for (const key of [segment(next), segment(next, epoch)])
      // The key is taken: the other server was faster. Read its events and try again.
      if (!(await putNew(key, new Uint8Array(), segmentType))) return false;
    return true;
  };
  const newestBody = async (keys: readonly string[]): Promise<string> => {
    for (const key of keys.toReversed()) {
      const body = Buffer.from((await bucket.get(key)) ?? []).toString();
      if (body !== '') return body;
    }
    return '';
  };
  while (!(await isClosed()));
}

function lastSeq(body: string): number {
  const line = body.trimEnd().split('\n').at(-1) ?? '';
  return line === '' ? 0 : readEvent(line).seq;
}

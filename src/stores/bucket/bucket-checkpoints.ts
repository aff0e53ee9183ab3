import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { AppError } from '../../domain/errors.js';
import type { Json } from '../../domain/json.js';
import { type CheckpointParts, fromRows } from '../shared/checkpoint-parts.js';
import type { Bucket } from './bucket.js';
import { keysOf } from './bucket-keys.js';
import { inParallel } from './parallel.js';

/** An object with entries of a history, one per line. Only the first `count` of them hold. */
type Piece = z.infer<typeof pieceShape>;

const pieceShape = z.object({ name: z.string(), count: z.number() });

/** More pieces than this are merged into one: each is a read when the task is loaded. */
const maxPieces = 64;
/** How many times to try reading a checkpoint while it is being replaced. */
const maxTries = 10;

export async function checkpointInBucket(bucket: Bucket, taskId: string): Promise<Json | undefined> {
  for (let tries = 0; tries < maxTries; tries++) {
    const text = textOf(await bucket.get(keysOf(taskId).history));
    if (text === undefined) return undefined;
    const [body = '', named = '[]'] = text.split('\n');
    const pieces = z.array(pieceShape).parse(JSON.parse(named));
    const entries = await entriesOf(bucket, taskId, pieces);
    if (entries) return fromRows([body, ...entries]);
  }
  throw new AppError('store-unavailable', `the checkpoint of "${taskId}" is there but cannot be read`);
}

/**
 * Writes the checkpoints of the tasks that this server holds. The object with the rest of a checkpoint names the pieces of its
 * history. A piece is written before it is named and deleted after that, so what a crash leaves behind can be read.
 */
export class BucketCheckpoints {
  readonly #bucket: Bucket;
  readonly #pieces = new Map<string, readonly Piece[]>();

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  async keep(taskId: string, { body, kept, entries }: CheckpointParts): Promise<void> {
    const { history, historyPiece } = keysOf(taskId);
    const known = this.#pieces.get(taskId) ?? [];
    const pieces = await this.#extended(taskId, cutAt(kept, known), entries);
    const text = pieces.length === 0 ? body : `${body}\n${JSON.stringify(pieces)}`;
    await this.#bucket.put(history, Buffer.from(text), { contentType: 'application/json' });
    this.#pieces.set(taskId, pieces);
    await this.#deleteExcept(
      taskId,
      pieces,
      known.map(({ name }) => historyPiece(name)),
    );
  }

  /**
   * Deletes what earlier servers left. Not sooner: the checkpoint of a server that has lost the task may still arrive,
   * and it names its own pieces.
   */
  async release(taskId: string): Promise<void> {
    const pieces = this.#pieces.get(taskId);
    this.forget(taskId);
    if (pieces) await this.#deleteExcept(taskId, pieces, await this.#bucket.list(keysOf(taskId).historyPieces));
  }

  /** Another server may continue the task. */
  forget(taskId: string): void {
    this.#pieces.delete(taskId);
  }

  async #deleteExcept(taskId: string, pieces: readonly Piece[], stored: readonly string[]): Promise<void> {
    const named = new Set(pieces.map(({ name }) => keysOf(taskId).historyPiece(name)));
    await inParallel(
      stored.filter((key) => !named.has(key)),
      (key) => this.#bucket.delete(key),
    );
  }

  async #extended(taskId: string, pieces: readonly Piece[], entries: readonly string[]): Promise<readonly Piece[]> {
    if (entries.length === 0) return pieces;
    const earlier = pieces.length < maxPieces ? undefined : await entriesOf(this.#bucket, taskId, pieces);
    const news = [...(earlier ?? []), ...entries];
    const piece = { name: randomUUID(), count: news.length };
    const content = Buffer.from(news.join('\n'));
    await this.#bucket.put(keysOf(taskId).historyPiece(piece.name), content, { contentType: 'application/x-ndjson' });
    return earlier ? [piece] : [...pieces, piece];
  }
}

/** The pieces that hold the first `kept` entries. */
function cutAt(kept: number, pieces: readonly Piece[]): readonly Piece[] {
  let left = kept;
  return pieces.flatMap(({ name, count }) => {
    const piece = { name, count: Math.min(count, left) };
    left -= piece.count;
    return piece.count > 0 ? [piece] : [];
  });
}

/** Undefined if a piece is gone: the checkpoint has been replaced. */
async function entriesOf(bucket: Bucket, taskId: string, pieces: readonly Piece[]): Promise<string[] | undefined> {
  const { historyPiece } = keysOf(taskId);
  const entries: string[] = [];
  const contents = await inParallel(pieces, ({ name }) => bucket.get(historyPiece(name)));
  for (const [index, content] of contents.entries()) {
    const text = textOf(content);
    if (text === undefined) return undefined;
    entries.push(...text.split('\n').slice(0, pieces[index]?.count));
  }
  return entries;
}

function textOf(content: Uint8Array | undefined): string | undefined {
  return content && Buffer.from(content).toString();
}

import { mergedTurn, type Turn } from '../../domain/turn.js';
import type { Bucket } from './bucket.js';
import { keysOf, numberOf } from './bucket-keys.js';
import { inParallel } from './parallel.js';
import { readTurns } from '../shared/stored-shapes.js';

/** A piece that has so many is not changed any more. */
const turnsPerPiece = 1000;

type Piece = { readonly number: number; readonly turns: Map<string, Turn> };

/** The turns of a task, in pieces. A turn of an older piece that goes on is in the newest too, with what is new of it. */
export async function turnsInBucket(bucket: Bucket, taskId: string): Promise<ReadonlyMap<string, Turn>> {
  const keys = await bucket.list(keysOf(taskId).turns);
  const turns = new Map<string, Turn>();
  for (const piece of await inParallel(keys, (key) => read(bucket, key))) addTo(turns, piece);
  return turns;
}

/** Writes the newest pieces of the tasks that this server has. Storage has no transactions: a crash may keep news out of it. */
export class TurnPieces {
  readonly #bucket: Bucket;
  readonly #newest = new Map<string, Piece>();

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  async keep(taskId: string, news: readonly Turn[]): Promise<void> {
    if (news.length === 0) return;
    const piece = this.#newest.get(taskId) ?? (await newestPiece(this.#bucket, taskId));
    addTo(piece.turns, news);
    const content = Buffer.from(JSON.stringify([...piece.turns.values()]));
    await this.#bucket.put(keysOf(taskId).turnPiece(piece.number), content, { contentType: 'application/json' });
    const isFull = piece.turns.size >= turnsPerPiece;
    this.#newest.set(taskId, isFull ? { number: piece.number + 1, turns: new Map() } : piece);
  }

  /** Another server may go on with them. */
  forget(taskId: string): void {
    this.#newest.delete(taskId);
  }
}

async function newestPiece(bucket: Bucket, taskId: string): Promise<Piece> {
  const key = (await bucket.list(keysOf(taskId).turns)).at(-1);
  const turns = new Map<string, Turn>();
  if (key === undefined) return { number: 1, turns };
  addTo(turns, await read(bucket, key));
  const number = numberOf(key);
  return turns.size >= turnsPerPiece ? { number: number + 1, turns: new Map() } : { number, turns };
}

async function read(bucket: Bucket, key: string): Promise<readonly Turn[]> {
  const content = await bucket.get(key);
  return content ? readTurns(Buffer.from(content).toString()) : [];
}

function addTo(turns: Map<string, Turn>, news: readonly Turn[]): void {
  for (const next of news) {
    const turn = mergedTurn(turns.get(next.id), next);
    if (turn) turns.set(next.id, turn);
  }
}

import { mergedTurn, type Turn } from '../../domain/turn.js';
import type { Bucket } from './bucket.js';
import { keysOf, numberOf } from './bucket-keys.js';
import { inParallel } from './parallel.js';
import { readTurns } from '../shared/stored-shapes.js';

/** A piece with this many turns is full and no longer changes. */
const turnsPerPiece = 1000;

type Piece = { readonly number: number; readonly turns: Map<string, Turn> };

/** The turns of a task, in pieces. If a turn from an older piece changes, the newest piece has the update. */
export async function turnsInBucket(bucket: Bucket, taskId: string): Promise<ReadonlyMap<string, Turn>> {
  const keys = await bucket.list(keysOf(taskId).turns);
  const turns = new Map<string, Turn>();
  for (const piece of await inParallel(keys, (key) => read(bucket, key))) addTo(turns, piece);
  return turns;
}

/** Writes the newest piece of each task that this server holds. Storage has no transactions: a crash may lose an update. */
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

  /** Another server may continue the task and change its newest piece. */
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

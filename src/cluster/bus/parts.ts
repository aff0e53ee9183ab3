import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { RecentMap } from '../../util/recent-map.js';

const part = z.object({ part: z.string(), of: z.int(), index: z.int(), bytes: z.string() });

/** Messages that are still incomplete. A sender that died leaves one behind; the oldest are dropped. */
const maxOpen = 100;
const maxParts = 4096;

/** Splits a message that is too long for one: each part is at most `limit` characters of ASCII, with its frame. */
export function toParts(message: string, limit: number): string[] {
  if (Buffer.byteLength(message) <= limit) return [message];
  const size = Math.floor((limit - 200) / 4) * 3;
  const bytes = Buffer.from(message);
  const id = randomUUID();
  const of = Math.ceil(bytes.length / size);
  return Array.from({ length: of }, (_, index) => {
    const piece = bytes.subarray(index * size, (index + 1) * size).toString('base64');
    return JSON.stringify({ part: id, of, index, bytes: piece });
  });
}

/** Joins parts again. A message that arrived whole is returned unchanged. */
export class Joiner {
  readonly #open = new RecentMap<string, Map<number, string>>(maxOpen);

  /** The whole message, or undefined while parts are missing. */
  take(text: string): string | undefined {
    if (!text.startsWith('{"part":')) return text;
    const { part: id, of, index, bytes } = part.parse(JSON.parse(text));
    if (of > maxParts) return undefined;
    const known = this.#open.get(id) ?? new Map<number, string>();
    this.#open.set(id, known.set(index, bytes));
    if (known.size < of) return undefined;
    this.#open.delete(id);
    const pieces = Array.from({ length: of }, (_, at) => Buffer.from(known.get(at) ?? '', 'base64'));
    return Buffer.concat(pieces).toString();
  }
}

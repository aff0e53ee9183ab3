import { AppError } from './errors.js';
import type { Json } from './json.js';

/**
 * A checkpoint may continue the one that was saved before it. `kept` is then the number of entries in the earlier
 * `history` that are still valid, and its own `history` has only the entries after them. So the cost of saving depends
 * only on what is new.
 */
type History = { readonly kept: number | undefined; readonly history: readonly Json[]; readonly rest: Fields };

type Fields = { readonly [key: string]: Json };

/** The parts of a checkpoint; undefined if it has no history. `kept` is undefined if it is whole. */
export function historyIn(checkpoint: Json): History | undefined {
  if (!isObject(checkpoint)) return undefined;
  const { kept, history, ...rest } = checkpoint;
  if (!isList(history)) return undefined;
  return typeof kept === 'number' ? { kept, history, rest } : { kept: undefined, history, rest };
}

/** `next` as a whole. Throws if it continues a checkpoint that is not there. */
export function continued(before: Json | undefined, next: Json): Json {
  const news = historyIn(next);
  if (news?.kept === undefined) return next;
  const earlier = before === undefined ? undefined : historyIn(before)?.history;
  if (!earlier || earlier.length < news.kept)
    throw new AppError('store-unavailable', 'an earlier checkpoint of this task was lost');
  return { ...news.rest, history: [...earlier.slice(0, news.kept), ...news.history] };
}

function isObject(value: Json): value is Fields {
  return typeof value === 'object' && value !== null && !isList(value);
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

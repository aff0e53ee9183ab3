import { isDeepStrictEqual } from 'node:util';
import type { HistoryTurn } from '@google/gemini-cli-core';

/**
 * How many entries at the beginning of two histories are the same. Core makes new entries for each reader, of parts that it
 * shares, so this looks at few contents.
 */
export function sameEntries(before: readonly HistoryTurn[], now: readonly HistoryTurn[]): number {
  const different = before.findIndex((entry, index) => !isSame(entry, now[index]));
  return different === -1 ? before.length : different;
}

function isSame(a: HistoryTurn, b: HistoryTurn | undefined): boolean {
  if (a.id !== b?.id || a.content.role !== b.content.role) return false;
  const [parts = [], others = []] = [a.content.parts, b.content.parts];
  if (parts === others) return true;
  return parts.length === others.length && parts.every((part, index) => isDeepStrictEqual(part, others[index]));
}

import type { TaskRow } from '../../client/client.js';
import type { Rows } from './rows.js';

export type GroupName = 'asks' | 'works' | 'quiet';
export type Group = { readonly name: GroupName; readonly rows: readonly TaskRow[] };

/** The rows in which every word is found, newest first: what needs somebody, what works, and the rest. */
export function groupsOf(rows: Rows, find: string): readonly Group[] {
  const found = [...rows.values()].filter((row) => matches(row, find));
  const sorted = found.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  const names = ['asks', 'works', 'quiet'] as const;
  return names
    .map((name) => ({ name, rows: sorted.filter((row) => groupOf(row) === name) }))
    .filter((group) => group.rows.length > 0);
}

function groupOf({ pending, state }: TaskRow): GroupName {
  if (pending.length > 0) return 'asks';
  return state === 'working' ? 'works' : 'quiet';
}

function matches({ id, title, last, workspace }: TaskRow, find: string): boolean {
  const text = `${title} ${last} ${workspace} ${id}`.toLowerCase();
  return find
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

import { AppError } from '../domain/errors.js';
import type { StoredTask, TaskPage, TaskQuery } from './store.js';

/** One page of tasks for stores that have no index of their own. */
export function paged(tasks: readonly StoredTask[], query: TaskQuery): TaskPage {
  const { limit, pageToken, state, contextId, owner } = query;
  const after = pageToken === undefined ? undefined : readPageToken(pageToken);
  const matching = tasks
    .filter((task) => state === undefined || task.state === state)
    .filter((task) => contextId === undefined || task.contextId === contextId)
    .filter((task) => owner === undefined || task.owner === owner)
    .toSorted((a, b) => compareKeys(keyOf(a), keyOf(b)));
  const start = after === undefined ? 0 : matching.findIndex((task) => compareKeys(keyOf(task), after) > 0);
  const page = start < 0 ? [] : matching.slice(start, start + limit);
  const last = page.at(-1);
  const hasMore = start >= 0 && last !== undefined && matching.length > start + limit;
  return { tasks: page, ...(hasMore ? { nextPageToken: pageTokenOf(last) } : {}) };
}

/** Where a page ends: newest first, the id decides between equals. */
type PageKey = readonly [updatedAt: string, id: string];

function pageTokenOf(task: StoredTask): string {
  return Buffer.from(JSON.stringify(keyOf(task))).toString('base64url');
}

function readPageToken(token: string): PageKey {
  try {
    const key: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (Array.isArray(key) && typeof key[0] === 'string' && typeof key[1] === 'string') return [key[0], key[1]];
  } catch {
    // Told below.
  }
  throw new AppError('bad-request', 'the page token was not given by this server');
}

function keyOf(task: StoredTask): PageKey {
  return [task.updatedAt, task.id];
}

function compareKeys(a: PageKey, b: PageKey): number {
  if (a[0] !== b[0]) return a[0] > b[0] ? -1 : 1;
  return a[1] === b[1] ? 0 : a[1] < b[1] ? -1 : 1;
}

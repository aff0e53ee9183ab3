import { keyOf, type PageKey, pageTokenOf, readPageToken } from './page-token.js';
import type { StoredTask, TaskPage, TaskQuery } from './store.js';

/** One page of tasks for stores that have no index of their own. */
export function paged(tasks: readonly StoredTask[], query: TaskQuery): TaskPage {
  const { limit, pageToken, state, contextId, owner, updatedSince } = query;
  const after = pageToken === undefined ? undefined : readPageToken(pageToken);
  const matching = tasks
    .filter((task) => state === undefined || task.state === state)
    .filter((task) => contextId === undefined || task.contextId === contextId)
    .filter((task) => owner === undefined || task.owner === owner)
    .filter((task) => updatedSince === undefined || task.updatedAt >= updatedSince);
  const rest = matching
    .filter((task) => after === undefined || compareKeys(keyOf(task), after) > 0)
    .toSorted((a, b) => compareKeys(keyOf(a), keyOf(b)));
  return pageOf(rest.slice(0, limit + 1), limit, matching.length);
}

/** A page of what was read with one task more than the page holds, which tells whether there is another page. */
export function pageOf(read: readonly StoredTask[], limit: number, total: number): TaskPage {
  const tasks = read.slice(0, limit);
  const last = tasks.at(-1);
  return { tasks, total, ...(last && read.length > limit ? { nextPageToken: pageTokenOf(last) } : {}) };
}

function compareKeys(a: PageKey, b: PageKey): number {
  if (a[0] !== b[0]) return a[0] > b[0] ? -1 : 1;
  return a[1] === b[1] ? 0 : a[1] < b[1] ? -1 : 1;
}

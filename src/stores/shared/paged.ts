import { type PageKey, pageTokenOf, readPageToken } from './page-token.js';
import type { StoredTask, StoredTurn, TaskPage, TaskQuery, TurnPage, TurnQuery } from '../store.js';

type Wanted = { readonly limit: number; readonly pageToken?: string };
type Page<Item> = { readonly items: readonly Item[]; readonly total: number; readonly nextPageToken?: string };

/** One page of tasks, for stores without an index. */
export function pagedTasks(tasks: readonly StoredTask[], query: TaskQuery): TaskPage {
  const { state, contextId, owner, updatedSince } = query;
  const matching = tasks
    .filter((task) => state === undefined || task.state === state)
    .filter((task) => contextId === undefined || task.contextId === contextId)
    .filter((task) => owner === undefined || task.owner === owner)
    .filter((task) => updatedSince === undefined || task.updatedAt >= updatedSince);
  return taskPage(paged(matching, query, taskKey));
}

/** One page of turns; each comes with the owner of its task. */
export function pagedTurns(turns: readonly (StoredTurn & { owner?: string })[], query: TurnQuery): TurnPage {
  const { taskId, owner, states, since } = query;
  const matching = turns
    .filter((turn) => taskId === undefined || turn.taskId === taskId)
    .filter((turn) => owner === undefined || turn.owner === owner)
    .filter((turn) => states === undefined || states.includes(turn.state))
    .filter((turn) => since === undefined || turn.at >= since)
    .map(({ owner: _owner, ...turn }) => turn);
  return turnPage(paged(matching, query, turnKey));
}

/** One page of tasks. `read` holds one task more than the page if there is another page. */
export function taskPageOf(read: readonly StoredTask[], limit: number, total: number): TaskPage {
  return taskPage(pageOf(read, limit, total, taskKey));
}

export function turnPageOf(read: readonly StoredTurn[], limit: number, total: number): TurnPage {
  return turnPage(pageOf(read, limit, total, turnKey));
}

const taskKey = ({ updatedAt, id }: StoredTask): PageKey => [updatedAt, id];
const turnKey = ({ at, id }: StoredTurn): PageKey => [at, id];

function taskPage({ items: tasks, ...rest }: Page<StoredTask>): TaskPage {
  return { tasks, ...rest };
}

function turnPage({ items: turns, ...rest }: Page<StoredTurn>): TurnPage {
  return { turns, ...rest };
}

function paged<Item>(
  matching: readonly Item[],
  { limit, pageToken }: Wanted,
  keyOf: (item: Item) => PageKey,
): Page<Item> {
  const after = pageToken === undefined ? undefined : readPageToken(pageToken);
  const rest = matching
    .filter((item) => after === undefined || compareKeys(keyOf(item), after) > 0)
    .toSorted((a, b) => compareKeys(keyOf(a), keyOf(b)));
  return pageOf(rest.slice(0, limit + 1), limit, matching.length, keyOf);
}

function pageOf<Item>(read: readonly Item[], limit: number, total: number, keyOf: (item: Item) => PageKey): Page<Item> {
  const items = read.slice(0, limit);
  const last = items.at(-1);
  return { items, total, ...(last && read.length > limit ? { nextPageToken: pageTokenOf(keyOf(last)) } : {}) };
}

function compareKeys(a: PageKey, b: PageKey): number {
  if (a[0] !== b[0]) return a[0] > b[0] ? -1 : 1;
  return a[1] === b[1] ? 0 : a[1] < b[1] ? -1 : 1;
}

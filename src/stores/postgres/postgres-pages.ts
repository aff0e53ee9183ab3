import * as z from 'zod';
import { readPageToken } from '../shared/page-token.js';
import { taskPageOf, turnPageOf } from '../shared/paged.js';
import type { Query } from './postgres-database.js';
import type { TaskPage, TaskQuery, TurnPage, TurnQuery } from '../store.js';
import { readTask } from '../shared/stored-shapes.js';
import { readTurnRow } from '../shared/turn-row.js';

export async function selectPostgresTasks(query: Query, { limit, pageToken, ...filter }: TaskQuery): Promise<TaskPage> {
  const { rows, total } = await select(query, { limit, pageToken }, 'cosession_tasks', 'updated_at', [
    ['state = $', filter.state],
    ['context_id = $', filter.contextId],
    ['owner = $', filter.owner],
    ['updated_at >= $', filter.updatedSince],
  ]);
  const tasks = bodyRows.parse(rows).map(({ body }) => readTask(body));
  return taskPageOf(tasks, limit, total);
}

export async function selectPostgresTurns(query: Query, { limit, pageToken, ...filter }: TurnQuery): Promise<TurnPage> {
  const { rows, total } = await select(query, { limit, pageToken }, 'cosession_turns', 'at', [
    ['task_id = $', filter.taskId],
    ['owner = $', filter.owner],
    ['state = any ($)', filter.states],
    ['at >= $', filter.since],
  ]);
  return turnPageOf(rows.map(readTurnRow), limit, total);
}

const bodyRows = z.array(z.object({ body: z.string() }));

type Wanted = { readonly limit: number; readonly pageToken: string | undefined };
type Filter = readonly [condition: string, value: string | readonly string[] | undefined];

/** One row more than the page holds, and the total across all pages. */
async function select(
  query: Query,
  { limit, pageToken }: Wanted,
  table: 'cosession_tasks' | 'cosession_turns',
  time: string,
  filters: readonly Filter[],
): Promise<{ rows: object[]; total: number }> {
  const given = filters.filter(([, value]) => value !== undefined);
  const conditions = given.map(([condition], index) => condition.replace('$', `$${index + 1}`));
  const where = ['true', ...conditions].join(' and ');
  const values = given.map(([, value]) => value);
  // `~` sorts after every time, so the first page needs no separate statement.
  const [at, id] = pageToken === undefined ? ['~', ''] : readPageToken(pageToken);
  const [$at, $id, $limit] = [1, 2, 3].map((place) => `$${values.length + place}`);
  const [[count], rows] = await Promise.all([
    query<{ total: number }>(`select count(*)::integer as total from ${table} where ${where}`, values),
    query<object>(
      `select * from ${table} where ${where} and ${time} <= ${$at} and (${time} < ${$at} or id > ${$id})
       order by ${time} desc, id limit ${$limit}`,
      [...values, at, id, limit + 1],
    ),
  ]);
  return { rows, total: count?.total ?? 0 };
}

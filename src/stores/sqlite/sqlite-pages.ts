import type Database from 'libsql';
import * as z from 'zod';
import { readPageToken } from '../shared/page-token.js';
import { taskPageOf, turnPageOf } from '../shared/paged.js';
import type { StoredTurn, TaskPage, TaskQuery, TurnPage, TurnQuery } from '../store.js';
import { readTask } from '../shared/stored-shapes.js';
import { readTurnRow } from '../shared/turn-row.js';

export function selectSqliteTasks(reader: Database.Database, { limit, pageToken, ...filter }: TaskQuery): TaskPage {
  const { rows, total } = select(reader, { limit, pageToken }, 'tasks', 'updated_at', [
    ['state = ?', filter.state],
    ['context_id = ?', filter.contextId],
    ['owner = ?', filter.owner],
    ['updated_at >= ?', filter.updatedSince],
  ]);
  const tasks = bodyRows.parse(rows).map(({ body }) => readTask(body));
  return taskPageOf(tasks, limit, total);
}

export function selectSqliteTurns(reader: Database.Database, { limit, pageToken, ...filter }: TurnQuery): TurnPage {
  const { rows, total } = select(reader, { limit, pageToken }, 'turns', 'at', [
    ['task_id = ?', filter.taskId],
    ['owner = ?', filter.owner],
    ['state in (select value from json_each(?))', filter.states && JSON.stringify(filter.states)],
    ['at >= ?', filter.since],
  ]);
  return turnPageOf(turnRows(rows), limit, total);
}

export function turnRows(rows: unknown): StoredTurn[] {
  return z.array(z.unknown()).parse(rows).map(readTurnRow);
}

const bodyRows = z.array(z.object({ body: z.string() }));
const totalRow = z.object({ total: z.number() });

type Wanted = { readonly limit: number; readonly pageToken: string | undefined };
type Filter = readonly [condition: string, value: string | undefined];

/** One row more than the page holds, and the total across all pages. */
function select(
  reader: Database.Database,
  { limit, pageToken }: Wanted,
  table: 'tasks' | 'turns',
  time: string,
  filters: readonly Filter[],
): { rows: unknown; total: number } {
  const given = filters.filter(([, value]) => value !== undefined);
  const where = ['true', ...given.map(([condition]) => condition)].join(' and ');
  const values = given.map(([, value]) => value);
  // `~` sorts after every time, so the first page needs no separate statement.
  const [at, id] = pageToken === undefined ? ['~', ''] : readPageToken(pageToken);
  const total = reader.prepare(`select count(*) as total from ${table} where ${where}`).get(...values);
  const rows = reader
    .prepare(
      `select * from ${table} where ${where} and ${time} <= ? and (${time} < ? or id > ?)
       order by ${time} desc, id limit ?`,
    )
    .all(...values, at, at, id, limit + 1);
  return { rows, total: totalRow.parse(total).total };
}

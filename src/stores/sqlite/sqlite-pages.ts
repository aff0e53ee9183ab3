import type Database from 'libsql';
import * as z from 'zod';
import { readPageToken } from '../shared/page-token.js';
import { taskPageOf, turnPageOf } from '../shared/paged.js';
import type { StoredTurn, TaskPage, TaskQuery, TurnPage, TurnQuery } from '../store.js';
import { readTask } from '../shared/stored-shapes.js';
import { readTurnRow } from '../shared/turn-row.js';

export function selectSqliteTasks(reader: Database.Database, { limit, pageToken, ...filter }: TaskQuery): TaskPage {
  const states = filter.state === undefined ? undefined : [filter.state];
  const { rows, total } = select(reader, { limit, pageToken, states }, 'tasks', 'updated_at', [
    ['context_id = ?', filter.contextId],
    ['owner = ?', filter.owner],
    ['updated_at >= ?', filter.updatedSince],
  ]);
  const tasks = bodyRows.parse(rows).map(({ body }) => readTask(body));
  return taskPageOf(tasks, limit, total);
}

export function selectSqliteTurns(reader: Database.Database, { limit, pageToken, ...filter }: TurnQuery): TurnPage {
  const { rows, total } = select(reader, { limit, pageToken, states: filter.states }, 'turns', 'at', [
    ['task_id = ?', filter.taskId],
    ['owner = ?', filter.owner],
    ['at >= ?', filter.since],
  ]);
  return turnPageOf(turnRows(rows), limit, total);
}

export function turnRows(rows: unknown): StoredTurn[] {
  return anyRows.parse(rows).map(readTurnRow);
}

const anyRows = z.array(z.unknown());
const bodyRows = z.array(z.object({ body: z.string() }));
const totalRow = z.object({ total: z.number() });

type Wanted = {
  readonly limit: number;
  readonly pageToken: string | undefined;
  readonly states: readonly string[] | undefined;
};
type Filter = readonly [condition: string, value: string | undefined];

/** One row more than the page holds, and the total across all pages. */
function select(
  reader: Database.Database,
  { limit, pageToken, states }: Wanted,
  table: 'tasks' | 'turns',
  time: string,
  filters: readonly Filter[],
): { rows: unknown; total: number } {
  const given = filters.filter(([, value]) => value !== undefined);
  const where = ['true', ...given.map(([condition]) => condition)].join(' and ');
  const values = given.map(([, value]) => value);
  // The plus keeps SQLite from the index of states: a task, context or owner has fewer rows than a state.
  const isNarrow = given.some(([condition]) => condition.endsWith('= ?') && !condition.endsWith('>= ?'));
  const state = isNarrow ? '+state' : 'state';
  // `~` sorts after every time, so the first page needs no separate statement.
  const [at, id] = pageToken === undefined ? ['~', ''] : readPageToken(pageToken);
  const order = `order by ${time} desc, id limit ?`;
  const page = (filter: string): string =>
    `select * from ${table} where ${where} and ${filter} and ${time} <= ? and (${time} < ? or id > ?) ${order}`;
  const place = [at, at, id, limit + 1];
  if (states === undefined) {
    const total = reader.prepare(`select count(*) as total from ${table} where ${where}`).get(...values);
    return { rows: reader.prepare(page('true')).all(...values, ...place), total: totalRow.parse(total).total };
  }
  const marks = states.map(() => '?').join(', ');
  const total = reader
    .prepare(`select count(*) as total from ${table} where ${where} and ${state} in (${marks})`)
    .get(...values, ...states);
  // One page of each state, in the order of its index, instead of sorting all rows of all states.
  const pages = states.map(() => `select * from (${page(`${state} = ?`)})`).join(' union all ');
  const rows = reader
    .prepare(`select * from (${pages || page('false')}) ${order}`)
    .all(
      ...(states.length === 0 ? [...values, ...place] : states.flatMap((one) => [...values, one, ...place])),
      limit + 1,
    );
  return { rows, total: totalRow.parse(total).total };
}

import pg from 'pg';
import type { SessionEvent } from '../../../../src/domain/events.js';
import { startPostgres } from '../../postgres.js';
import { startTcpProxy } from '../../tcp-proxy.js';
import { blackHole } from '../outages/black-hole.js';
import { cut } from '../outages/cut.js';
import { freeze } from '../outages/freeze.js';
import { restart } from '../outages/restart.js';
import { terminate } from '../outages/terminate.js';
import type { ChaosStore, StoreView } from './store.js';

/** A database of our own, which the server reaches by a way that can be cut or blocked. */
export async function postgresStore(): Promise<ChaosStore> {
  const postgres = await startPostgres();
  const proxy = await startTcpProxy(postgres.port);
  return {
    async newPlace() {
      const url = await postgres.newPlace();
      const schema = new URL(url).searchParams.get('search_path') ?? '';
      const pool = new pg.Pool({ connectionString: url.split('?')[0] ?? '', max: 2 });
      // A restart of the database cuts ours, too.
      pool.on('error', () => {});
      return {
        args: ['--store', url.replace(`:${postgres.port}`, `:${proxy.port}`)],
        env: {},
        outages: [freeze(postgres.data), blackHole(proxy), cut(proxy), terminate(() => pool), restart(postgres)],
        view: viewOf(pool, schema),
        close: () => pool.end(),
      };
    },
    async close() {
      await proxy.close();
      await postgres.remove();
    },
  };
}

function viewOf(pool: pg.Pool, schema: string): StoreView {
  const all = async <Row extends object>(sql: string, value: unknown): Promise<Row[]> =>
    (await pool.query<Row>(sql, [value])).rows;
  const table = (name: string): string => `${schema}.cosession_${name}`;
  return {
    async events(taskId) {
      const rows = await all<{ body: string }>(
        `select body from ${table('events')} where session_id = $1 order by seq`,
        taskId,
      );
      return rows.map(({ body }) => JSON.parse(body) as SessionEvent);
    },
    async artifacts(taskId) {
      const rows = await all<{ name: string }>(`select name from ${table('artifacts')} where task_id = $1`, taskId);
      return rows.map(({ name }) => name);
    },
    async traces(taskIds) {
      const places = await all<{ table: string; column: string }>(naming, schema);
      const found = places.map(async ({ table, column }) => {
        const sql = `select distinct ${column} as id from ${schema}.${table} where ${column} = any ($1::text[])`;
        return (await all<{ id: string }>(sql, taskIds)).map(({ id }) => `${id} in ${table}`);
      });
      return (await Promise.all(found)).flat();
    },
  };
}

/** Every table that names a task. */
const naming = `
  select table_name as table, column_name as column from information_schema.columns
  where table_schema = $1
    and (column_name in ('task_id', 'session_id') or (table_name = 'cosession_tasks' and column_name = 'id'))`;

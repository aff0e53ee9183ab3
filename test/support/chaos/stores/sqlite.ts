import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'libsql';
import type { SessionEvent } from '../../../../src/domain/events.js';
import { entriesIn } from '../../../../src/stores/sqlite/journal.js';
import { lock } from '../outages/lock.js';
import type { ChaosStore, StoreView } from './store.js';

const slowDisk = pathToFileURL(resolve('test/support/chaos/stores/slow-disk.js')).href;

/** A file, on a disk that takes its time. */
export function sqliteStore(): ChaosStore {
  return {
    async newPlace(folder) {
      const file = join(folder, 'state', 'tasks.db');
      return {
        args: ['--store', 'sqlite:'],
        env: { NODE_OPTIONS: `--import=${slowDisk}` },
        outages: [lock(file)],
        view: viewOf(file),
        async close() {},
      };
    },
    async close() {},
  };
}

function viewOf(file: string): StoreView {
  const all = (sql: string, ...values: readonly string[]): unknown[] => {
    const database = new Database(file, { readonly: true });
    try {
      return database.prepare(sql).all(...values);
    } finally {
      database.close();
    }
  };
  return {
    async events(taskId) {
      // The journals first: what is in them may get into the tables in this moment.
      const journaled = journaledEvents(file, taskId);
      const rows = all('select body from events where session_id = ? order by seq', taskId) as { body: string }[];
      const stored = rows.map(({ body }) => JSON.parse(body) as SessionEvent);
      return [...stored, ...journaled.filter(({ seq }) => seq > (stored.at(-1)?.seq ?? 0))];
    },
    async artifacts(taskId) {
      const rows = all('select name from artifacts where task_id = ?', taskId) as { name: string }[];
      return rows.map(({ name }) => name);
    },
    async traces(taskIds) {
      const ids = JSON.stringify(taskIds);
      return (all(naming) as { table: string; column: string }[]).flatMap(({ table, column }) => {
        const found = `select distinct ${column} as id from ${table} where ${column} in (select value from json_each(?))`;
        return (all(found, ids) as { id: string }[]).map(({ id }) => `${id} in ${table}`);
      });
    },
  };
}

/** What servers have acknowledged, and may not have in the tables yet. */
function journaledEvents(file: string, taskId: string): SessionEvent[] {
  const folder = `${file}-journals`;
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const paths = names.map((name) => join(folder, name)).filter((path) => existsSync(path));
  const writes = paths.flatMap((path) => entriesIn(readFileSync(path), 0).flatMap(({ batch }) => batch));
  const bodies = writes.flatMap((write) => (write.type === 'event' && write.taskId === taskId ? [write.body] : []));
  return bodies.map((body) => JSON.parse(body) as SessionEvent).toSorted((a, b) => a.seq - b.seq);
}

/** Every table that names a task. */
const naming = `
  select tables.name as "table", columns.name as "column"
  from sqlite_master as tables, pragma_table_info(tables.name) as columns
  where tables.type = 'table' and (columns.name in ('task_id', 'session_id') or (tables.name = 'tasks' and columns.name = 'id'))`;

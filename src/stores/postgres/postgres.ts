import { randomUUID } from 'node:crypto';
import { postgresCommit } from './postgres-commit.js';
import { connectTo, isPassingInPostgres, type Query } from './postgres-database.js';
import { selectPostgresTasks, selectPostgresTurns } from './postgres-pages.js';
import { migratePostgres } from './postgres-schema.js';
import { fromRows } from '../shared/checkpoint-parts.js';
import { queuedWrites } from '../shared/queued-writes.js';
import { retry } from '../shared/retry.js';
import type { Claim, Store } from '../store.js';
import { readArtifact, readEvent, readJson, readServer, readTask } from '../shared/stored-shapes.js';
import { readTurnRow } from '../shared/turn-row.js';
import { WriteQueue } from '../shared/write-queue.js';

/** A database that several servers may share; each task belongs to one server at a time. */
export async function openPostgresStore(url: string, server: string = randomUUID()): Promise<Store> {
  await migratePostgres(url);
  const database = connectTo(url);
  const commit = postgresCommit(database, server);
  const queue = new WriteQueue((batch) => patiently(() => commit(batch)));
  const query: Query = (sql, values) => patiently(() => database.query(sql, values));
  const bodies = async (sql: string, ...values: readonly unknown[]): Promise<string[]> =>
    (await query<{ body: string }>(sql, values)).map(({ body }) => body);

  return {
    ...queuedWrites({ server, push: (write) => queue.push(write) }),
    async read(sessionId, afterSeq, limit) {
      const sql = 'select body from cosession_events where session_id = $1 and seq > $2 order by seq limit $3';
      return (await bodies(sql, sessionId, afterSeq, limit)).map(readEvent);
    },
    task: async (id) => (await bodies('select body from cosession_tasks where id = $1', id)).map(readTask)[0],
    tasks: (wanted) => selectPostgresTasks(query, wanted),
    async turn(sessionId, turnId) {
      const [row] = await query('select * from cosession_turns where task_id = $1 and id = $2', [sessionId, turnId]);
      if (!row) return undefined;
      const { taskId: _taskId, ...turn } = readTurnRow(row);
      return turn;
    },
    turns: (wanted) => selectPostgresTurns(query, wanted),
    summary: async (taskId) =>
      (await bodies('select body from cosession_summaries where task_id = $1', taskId)).map(readJson)[0],
    async checkpoint(taskId) {
      const sql = `select -1 as number, body from cosession_checkpoints where task_id = $1
        union all select number, entry.body from cosession_checkpoint_entries as entry
        join cosession_checkpoints using (task_id) where task_id = $1 order by number`;
      return fromRows(await bodies(sql, taskId));
    },
    async artifacts(taskId) {
      const sql = 'select body from cosession_artifacts where task_id = $1 order by name';
      return (await bodies(sql, taskId)).map(readArtifact);
    },
    async artifact(taskId, name) {
      const sql = 'select content from cosession_artifacts where task_id = $1 and name = $2';
      const [row] = await query<{ content: Uint8Array }>(sql, [taskId, name]);
      return row?.content;
    },
    webhooks: async (taskId) =>
      (await bodies('select body from cosession_webhooks where task_id = $1', taskId)).map(readJson)[0],
    tasksToNotify: () => bodies('select task_id as body from cosession_webhooks where are_open'),
    async servers() {
      const rows = await query<{ body: string; left_ms: number }>(
        `select body, 1000 * extract(epoch from alive_until - clock_timestamp())::float8 as left_ms
         from cosession_servers`,
      );
      return rows.map(({ body, left_ms }) => ({ ...readServer(body), leftMs: left_ms }));
    },
    async usage(day) {
      const sql = 'select server, body from cosession_usage where day = $1';
      const rows = await query<{ server: string; body: string }>(sql, [day]);
      return rows.map(({ server: name, body }) => ({ server: name, body: readJson(body) }));
    },
    async holder(taskId) {
      const sql = `select server, epoch::float8 as epoch from cosession_claims where task_id = $1 and server <> ''`;
      return (await query<Claim>(sql, [taskId]))[0];
    },
    async close() {
      await queue.drained();
      await database.close();
    },
  };
}

function patiently<T>(request: () => Promise<T>): Promise<T> {
  return retry(request, { isPassing: isPassingInPostgres });
}

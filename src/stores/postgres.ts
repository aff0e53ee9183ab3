import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { readPageToken } from './page-token.js';
import { pageOf } from './paged.js';
import { postgresCommit } from './postgres-commit.js';
import { migrate } from './postgres-schema.js';
import { queuedWrites } from './queued-writes.js';
import { retry } from './retry.js';
import type { Store, TaskPage, TaskQuery } from './store.js';
import { readArtifact, readEvent, readJson, readServer, readTask } from './stored-shapes.js';
import { WriteQueue } from './write-queue.js';

/** A database that several servers may share: a task is one's at a time. */
export async function openPostgresStore(url: string, server: string = randomUUID()): Promise<Store> {
  const sql = connectTo(url);
  try {
    await migrate(sql);
  } catch (error) {
    await sql.end({ timeout: 0 });
    throw error;
  }
  const commit = postgresCommit(sql, server);
  const queue = new WriteQueue((batch) => patiently(() => commit(batch)));

  return {
    ...queuedWrites(server, (write) => queue.push(write)),
    async read(sessionId, afterSeq, limit) {
      const rows = await patiently(
        () => sql<Body[]>`select body from cosession_events
                          where session_id = ${sessionId} and seq > ${afterSeq} order by seq limit ${limit}`,
      );
      return rows.map(({ body }) => readEvent(body));
    },
    async task(id) {
      const [row] = await patiently(() => sql<Body[]>`select body from cosession_tasks where id = ${id}`);
      return row && readTask(row.body);
    },
    tasks: (query) => patiently(() => selectPage(sql, query)),
    async checkpoint(taskId) {
      const [row] = await patiently(
        () => sql<Body[]>`select body from cosession_checkpoints where task_id = ${taskId}`,
      );
      return row && readJson(row.body);
    },
    async artifacts(taskId) {
      const rows = await patiently(
        () => sql<Body[]>`select body from cosession_artifacts where task_id = ${taskId} order by name`,
      );
      return rows.map(({ body }) => readArtifact(body));
    },
    async artifact(taskId, name) {
      const [row] = await patiently(
        () => sql<{ content: Uint8Array }[]>`select content from cosession_artifacts
                                             where task_id = ${taskId} and name = ${name}`,
      );
      return row?.content;
    },
    async webhooks(taskId) {
      const [row] = await patiently(() => sql<Body[]>`select body from cosession_webhooks where task_id = ${taskId}`);
      return row && readJson(row.body);
    },
    async tasksToNotify() {
      const rows = await patiently(() => sql<Body[]>`select task_id as body from cosession_webhooks where are_open`);
      return rows.map(({ body }) => body);
    },
    async servers() {
      const rows = await patiently(() => sql<Body[]>`select body from cosession_servers`);
      return rows.map(({ body }) => readServer(body));
    },
    async holder(taskId) {
      const [row] = await patiently(
        () => sql<{ server: string }[]>`select server from cosession_claims where task_id = ${taskId}`,
      );
      return row?.server;
    },
    async close() {
      await queue.drained();
      await sql.end({ timeout: 5 });
    },
  };
}

export function connectTo(url: string): postgres.Sql {
  return postgres(url, {
    max: 5,
    connect_timeout: 10,
    // Pauses are made by whoever asks again.
    backoff: () => 0,
    // What was acknowledged must last, whatever the default of the database is.
    connection: { application_name: 'cosession', synchronous_commit: 'on' },
    onnotice: () => undefined,
  });
}

type Body = { readonly body: string };

async function selectPage(sql: postgres.Sql, { limit, pageToken, ...filter }: TaskQuery): Promise<TaskPage> {
  const { state, contextId, owner, updatedSince } = filter;
  // A place after every task, so that the first page needs no statement of its own.
  const [at, id] = pageToken === undefined ? ['~', ''] : readPageToken(pageToken);
  const where = sql`true
    ${state === undefined ? sql`` : sql`and state = ${state}`}
    ${contextId === undefined ? sql`` : sql`and context_id = ${contextId}`}
    ${owner === undefined ? sql`` : sql`and owner = ${owner}`}
    ${updatedSince === undefined ? sql`` : sql`and updated_at >= ${updatedSince}`}`;
  const [[count], rows] = await Promise.all([
    sql<{ total: number }[]>`select count(*)::integer as total from cosession_tasks where ${where}`,
    sql<Body[]>`
      select body from cosession_tasks where ${where} and updated_at <= ${at} and (updated_at < ${at} or id > ${id})
      order by updated_at desc, id limit ${limit + 1}`,
  ]);
  const tasks = rows.map(({ body }) => readTask(body));
  return pageOf(tasks, limit, count?.total ?? 0);
}

function patiently<T>(request: () => PromiseLike<T>): Promise<T> {
  return retry(async () => request(), { isPassing: isRestarting });
}

/** The server is away or coming up, or two transactions were in each other's way. */
function isRestarting(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|08|57P0|53300|40001|40P01)/.test(code);
}

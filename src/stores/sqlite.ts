import { randomUUID } from 'node:crypto';
import type Database from 'libsql';
import * as z from 'zod';
import { readPageToken } from './page-token.js';
import { pageOf } from './paged.js';
import { queuedWrites } from './queued-writes.js';
import { sqliteCommit } from './sqlite-commit.js';
import { openConnections } from './sqlite-connections.js';
import { watchPlace } from './sqlite-place.js';
import { quickWrites } from './sqlite-quick.js';
import { shrinking } from './sqlite-shrinking.js';
import { alreadyStored, type Store, type TaskPage, type TaskQuery } from './store.js';
import { readArtifact, readEvent, readJson, readServer, readTask } from './stored-shapes.js';
import type { EventWrite } from './write.js';
import { WriteQueue } from './write-queue.js';

/** A file of this machine. Several servers may use it at once: a task is one's at a time. */
export async function openSqliteStore(file: string, server: string = randomUUID()): Promise<Store> {
  const connections = await openConnections(file);
  const { reader, writer } = connections;
  const place = watchPlace(file);
  const commit = shrinking(writer, await sqliteCommit(writer, server));
  const queue = new WriteQueue(async (batch) => {
    place.check();
    return commit(batch);
  });
  const bodies = (sql: string): ((...values: (string | number)[]) => string[]) => {
    const statement = reader.prepare(sql);
    return (...values) => bodyRows.parse(statement.all(...values)).map(({ body }) => body);
  };
  const events = bodies('select body from events where session_id = ? and seq > ? order by seq limit ?');
  const task = bodies('select body from tasks where id = ?');
  const checkpoint = bodies('select body from checkpoints where task_id = ?');
  const artifacts = bodies('select body from artifacts where task_id = ? order by name');
  const webhooks = bodies('select body from webhooks where task_id = ?');
  const toNotify = bodies('select task_id as body from webhooks where are_open = 1');
  const servers = reader.prepare('select body, alive_until from servers');
  const holder = reader.prepare(`select server, epoch from claims where task_id = ? and server <> ''`);
  const content = reader.prepare('select content from artifacts where task_id = ? and name = ?');

  const isQuick = quickWrites(connections.quick, queue);
  const inTurn = async (event: EventWrite): Promise<void> => {
    await queue.push(event);
  };
  const append = (event: EventWrite): Promise<void> =>
    place.isKept() && isQuick(event) ? alreadyStored : inTurn(event);

  return {
    ...queuedWrites({ server, push: (write) => queue.push(write), append }),
    read: async (sessionId, afterSeq, limit) => events(sessionId, afterSeq, limit).map(readEvent),
    task: async (id) => task(id).map(readTask)[0],
    tasks: async (query) => selectPage(reader, query),
    checkpoint: async (taskId) => checkpoint(taskId).map(readJson)[0],
    artifacts: async (taskId) => artifacts(taskId).map(readArtifact),
    async artifact(taskId, name) {
      const [row] = contentRows.parse(content.all(taskId, name));
      return row && new Uint8Array(row.content);
    },
    webhooks: async (taskId) => webhooks(taskId).map(readJson)[0],
    tasksToNotify: async () => toNotify(),
    // The clock of the store is that of the machine, which all its servers share.
    servers: async () =>
      serverRows.parse(servers.all()).map((row) => ({ ...readServer(row.body), leftMs: row.alive_until - Date.now() })),
    holder: async (taskId) => claimRows.parse(holder.all(taskId))[0],
    async close() {
      await queue.drained();
      await connections.close();
    },
  };
}

const bodyRows = z.array(z.object({ body: z.string() }));
const serverRows = z.array(z.object({ body: z.string(), alive_until: z.number() }));
const claimRows = z.array(z.object({ server: z.string(), epoch: z.number() }));
const totalRow = z.object({ total: z.number() });
const contentRows = z.array(z.object({ content: z.instanceof(ArrayBuffer) }));

function selectPage(reader: Database.Database, { limit, pageToken, ...filter }: TaskQuery): TaskPage {
  const filters = Object.entries({
    'state = ?': filter.state,
    'context_id = ?': filter.contextId,
    'owner = ?': filter.owner,
    'updated_at >= ?': filter.updatedSince,
  }).flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]));
  const where = ['true', ...filters.map(({ sql }) => sql)].join(' and ');
  const values = filters.map(({ value }) => value);
  const total = reader.prepare(`select count(*) as total from tasks where ${where}`).get(...values);

  // A place after every task, so that the first page needs no statement of its own.
  const [at, id] = pageToken === undefined ? ['~', ''] : readPageToken(pageToken);
  const page = reader
    .prepare(
      `select body from tasks where ${where} and updated_at <= ? and (updated_at < ? or id > ?)
       order by updated_at desc, id limit ?`,
    )
    .all(...values, at, at, id, limit + 1);
  const tasks = bodyRows.parse(page).map(({ body }) => readTask(body));
  return pageOf(tasks, limit, totalRow.parse(total).total);
}

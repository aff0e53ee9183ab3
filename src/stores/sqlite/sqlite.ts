import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { fromRows } from '../shared/checkpoint-parts.js';
import { queuedWrites } from '../shared/queued-writes.js';
import { Journals } from './journals.js';
import { checkpoints } from './sqlite-checkpoints.js';
import { sqliteCommit, waitsForDisk } from './sqlite-commit.js';
import { mergedTurn } from '../../domain/turn.js';
import { defined } from '../../util/defined.js';
import { openConnections } from './sqlite-connections.js';
import { selectSqliteTasks, selectSqliteTurns, turnRows } from './sqlite-pages.js';
import { watchPlace } from './sqlite-place.js';
import { SqliteWrites } from './sqlite-writes.js';
import { shrinking } from './sqlite-shrinking.js';
import { alreadyStored, type Store } from '../store.js';
import { readArtifact, readEvent, readJson, readServer, readTask } from '../shared/stored-shapes.js';
import type { EventWrite } from '../shared/write.js';
import { WriteQueue } from '../shared/write-queue.js';

/** A file on this machine. Several servers may use it at once; each task belongs to one server at a time. */
export async function openSqliteStore(file: string, server: string = randomUUID()): Promise<Store> {
  const connections = await openConnections(file);
  const { reader, writer } = connections;
  const writes = await SqliteWrites.open({
    connections,
    place: watchPlace(file),
    journals: new Journals(file),
    commit: shrinking(writer, await sqliteCommit(connections, server)),
    written: checkpoints(writer),
  }).catch(async (error: unknown) => {
    await connections.close();
    throw error;
  });
  const queue = new WriteQueue((batch) => writes.commit(batch), {
    disk: { isNeededFor: waitsForDisk, sync: () => writes.sync() },
  });
  const bodies = (sql: string): ((...values: (string | number)[]) => string[]) => {
    const statement = reader.prepare(sql);
    return (...values) => bodyRows.parse(statement.all(...values)).map(({ body }) => body);
  };
  const events = bodies('select body from events where session_id = ? and seq > ? order by seq limit ?');
  const task = bodies('select body from tasks where id = ?');
  const checkpoint = bodies(
    `select -1 as number, body from checkpoints where task_id = ?1
     union all select number, entry.body from checkpoint_entries as entry join checkpoints using (task_id)
     where task_id = ?1 order by number`,
  );
  const summary = bodies('select body from summaries where task_id = ?');
  const turn = reader.prepare('select * from turns where task_id = ? and id = ?');
  const artifacts = bodies('select body from artifacts where task_id = ? order by name');
  const webhooks = bodies('select body from webhooks where task_id = ?');
  const toNotify = bodies('select task_id as body from webhooks where are_open = 1');
  const servers = reader.prepare('select body, alive_until from servers');
  const usage = reader.prepare('select server, body from usage where day = ?');
  const holder = reader.prepare(`select server, epoch from claims where task_id = ? and server <> ''`);
  const content = reader.prepare('select content from artifacts where task_id = ? and name = ?');

  const inTurn = async (event: EventWrite): Promise<void> => {
    await queue.push(event);
  };
  const append = (event: EventWrite): Promise<void> => {
    const isNow = event.isPiece && queue.isFreeFor(event.taskId) && writes.storeNow(event);
    return isNow ? alreadyStored : inTurn(event);
  };

  return {
    ...queuedWrites({ server, push: (write) => queue.push(write), append }),
    async read(sessionId, afterSeq, limit) {
      await writes.settled('event', sessionId);
      return events(sessionId, afterSeq, limit).map(readEvent);
    },
    async task(id) {
      await writes.settled('task', id);
      return task(id).map(readTask)[0];
    },
    async tasks(query) {
      await writes.settled();
      return selectSqliteTasks(reader, query);
    },
    async turn(sessionId, turnId) {
      const news = await writes.turnNews(sessionId, turnId);
      const found = mergedTurn(turnRows(turn.all(sessionId, turnId))[0], news);
      if (!found) return undefined;
      const { id, state, at, contextId, first, last } = found;
      return { id, state, at, ...defined({ contextId }), first, last };
    },
    async turns(query) {
      await writes.settled();
      return selectSqliteTurns(reader, query);
    },
    async checkpoint(taskId) {
      await writes.settled('checkpoint', taskId);
      return fromRows(checkpoint(taskId));
    },
    async summary(taskId) {
      await writes.settled('summary', taskId);
      return summary(taskId).map(readJson)[0];
    },
    // An artifact is never in a journal.
    artifacts: async (taskId) => artifacts(taskId).map(readArtifact),
    async artifact(taskId, name) {
      const [row] = contentRows.parse(content.all(taskId, name));
      return row && new Uint8Array(row.content);
    },
    async webhooks(taskId) {
      await writes.settled('webhooks', taskId);
      return webhooks(taskId).map(readJson)[0];
    },
    async tasksToNotify() {
      await writes.settled();
      return toNotify();
    },
    // The clock of the store is the clock of this machine, which all its servers share.
    servers: async () =>
      serverRows.parse(servers.all()).map((row) => ({ ...readServer(row.body), leftMs: row.alive_until - Date.now() })),
    usage: async (day) =>
      usageRows.parse(usage.all(day)).map(({ server: name, body }) => ({ server: name, body: readJson(body) })),
    holder: async (taskId) => claimRows.parse(holder.all(taskId))[0],
    async close() {
      await queue.drained();
      await writes.close();
      await connections.close();
    },
  };
}

const bodyRows = z.array(z.object({ body: z.string() }));
const serverRows = z.array(z.object({ body: z.string(), alive_until: z.number() }));
const usageRows = z.array(z.object({ server: z.string(), body: z.string() }));
const claimRows = z.array(z.object({ server: z.string(), epoch: z.number() }));
const contentRows = z.array(z.object({ content: z.instanceof(ArrayBuffer) }));

import type { Sql, TransactionSql } from 'postgres';
import { unreachable } from '../util/unreachable.js';
import { type EventWrite, guardedTask, type OtherWrite, runsOf } from './write.js';
import type { Commit } from './write-queue.js';

/** One transaction per batch, for the server of this name; events that follow each other are one statement. */
export function postgresCommit(sql: Sql, server: string): Commit {
  return (batch) =>
    sql.begin(async (transaction) => {
      const found: boolean[] = [];
      const broken = new Set<string>();
      for (const run of runsOf(batch)) {
        if (Array.isArray(run)) found.push(...(await insertEvents(transaction, run, broken)));
        else found.push(!(await isForeign(transaction, run, server)) && (await apply(transaction, run, server)));
      }
      return found;
    });
}

/** An event that is there already, word for word, is one whose acknowledgement was lost with the connection. */
async function insertEvents(
  sql: TransactionSql,
  events: readonly EventWrite[],
  broken: Set<string>,
): Promise<boolean[]> {
  const stored = await sql<{ session_id: string; seq: number }[]>`
    insert into cosession_events as stored (session_id, seq, body)
    select * from unnest(
      ${events.map(({ sessionId }) => sessionId)}::text[],
      ${events.map(({ seq }) => seq)}::integer[],
      ${events.map(({ body }) => body)}::text[])
    on conflict (session_id, seq) do update set body = excluded.body where stored.body = excluded.body
    returning session_id, seq`;
  const keys = new Set(stored.map(({ session_id, seq }) => `${seq} ${session_id}`));
  // A log that another server has gone on with must not be gone on with behind its events.
  const found: boolean[] = [];
  for (const { sessionId, seq } of events) {
    const isStored = keys.has(`${seq} ${sessionId}`);
    if (isStored && broken.has(sessionId))
      await sql`delete from cosession_events where session_id = ${sessionId} and seq = ${seq}`;
    if (!isStored) broken.add(sessionId);
    found.push(!broken.has(sessionId));
  }
  return found;
}

/** The lock keeps the claim as it is until what it allows is stored. */
async function isForeign(sql: TransactionSql, write: OtherWrite, server: string): Promise<boolean> {
  const taskId = guardedTask(write);
  if (taskId === undefined) return false;
  const [claim] = await sql<{ server: string }[]>`
    select server from cosession_claims where task_id = ${taskId} for share`;
  return claim !== undefined && claim.server !== server;
}

async function apply(sql: TransactionSql, write: OtherWrite, server: string): Promise<boolean> {
  switch (write.type) {
    case 'task': {
      const { id, contextId, state, owner = null, updatedAt } = write.task;
      await sql`
        insert into cosession_tasks values (${id}, ${contextId}, ${state}, ${owner}, ${updatedAt}, ${write.body})
        on conflict (id) do update set context_id = excluded.context_id, state = excluded.state,
          owner = excluded.owner, updated_at = excluded.updated_at, body = excluded.body`;
      return true;
    }
    case 'checkpoint':
      await sql`
        insert into cosession_checkpoints values (${write.taskId}, ${write.body})
        on conflict (task_id) do update set body = excluded.body`;
      return true;
    case 'webhooks':
      await sql`
        insert into cosession_webhooks (task_id, are_open, body) values (${write.taskId}, ${write.areOpen}, ${write.body})
        on conflict (task_id) do update set are_open = excluded.are_open, body = excluded.body`;
      return true;
    case 'artifact':
      await sql`
        insert into cosession_artifacts values (${write.taskId}, ${write.name}, ${write.body}, ${write.content})
        on conflict (task_id, name) do update set body = excluded.body, content = excluded.content`;
      return true;
    case 'delete': {
      const { taskId } = write;
      await sql`delete from cosession_events where session_id = ${taskId}`;
      await sql`delete from cosession_checkpoints where task_id = ${taskId}`;
      await sql`delete from cosession_artifacts where task_id = ${taskId}`;
      await sql`delete from cosession_webhooks where task_id = ${taskId}`;
      await sql`delete from cosession_claims where task_id = ${taskId}`;
      return (await sql`delete from cosession_tasks where id = ${taskId}`).count > 0;
    }
    case 'claim': {
      const claimed = await sql`
        insert into cosession_claims as held values (${write.taskId}, ${server})
        on conflict (task_id) do update set server = excluded.server
        where held.server = excluded.server or held.server = ${write.from ?? server}`;
      return claimed.count > 0;
    }
    case 'release':
      return (await sql`delete from cosession_claims where task_id = ${write.taskId} and server = ${server}`).count > 0;
    case 'server':
      await sql`
        insert into cosession_servers values (${server}, ${write.body})
        on conflict (id) do update set body = excluded.body`;
      return true;
    case 'delete-server':
      return (await sql`delete from cosession_servers where id = ${write.id}`).count > 0;
    default:
      return unreachable(write);
  }
}

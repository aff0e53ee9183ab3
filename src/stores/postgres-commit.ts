import type { Sql, TransactionSql } from 'postgres';
import { unreachable } from '../util/unreachable.js';
import { type EventWrite, type OtherWrite, runsOf } from './write.js';
import type { Commit } from './write-queue.js';

/** One transaction per batch; events that follow each other are one statement. */
export function postgresCommit(sql: Sql): Commit {
  return (batch) =>
    sql.begin(async (transaction) => {
      const found: boolean[] = [];
      for (const run of runsOf(batch)) {
        found.push(...(Array.isArray(run) ? await insertEvents(transaction, run) : [await apply(transaction, run)]));
      }
      return found;
    });
}

/** An event that is there already, word for word, is one whose acknowledgement was lost with the connection. */
async function insertEvents(sql: TransactionSql, events: readonly EventWrite[]): Promise<boolean[]> {
  const stored = await sql<{ session_id: string; seq: number }[]>`
    insert into cosession_events as stored (session_id, seq, body)
    select * from unnest(
      ${events.map(({ sessionId }) => sessionId)}::text[],
      ${events.map(({ seq }) => seq)}::integer[],
      ${events.map(({ body }) => body)}::text[])
    on conflict (session_id, seq) do update set body = excluded.body where stored.body = excluded.body
    returning session_id, seq`;
  const keys = new Set(stored.map(({ session_id, seq }) => `${seq} ${session_id}`));
  return events.map(({ sessionId, seq }) => keys.has(`${seq} ${sessionId}`));
}

async function apply(sql: TransactionSql, write: OtherWrite): Promise<boolean> {
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
      return (await sql`delete from cosession_tasks where id = ${taskId}`).count > 0;
    }
    default:
      return unreachable(write);
  }
}

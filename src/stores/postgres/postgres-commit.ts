import { unreachable } from '../../util/unreachable.js';
import type { Database, Query } from './postgres-database.js';
import { turnInsertion, turnsFrom, turnValues } from './postgres-turns.js';
import { type EventWrite, isGuarded, type OtherWrite, runsOf, turnsIn } from '../shared/write.js';
import type { Commit, Found } from '../shared/write-queue.js';

/** Commits each batch of this server in one transaction; consecutive events are one statement. */
export function postgresCommit(database: Database, server: string): Commit {
  return async (batch) => {
    const runs = runsOf(batch);
    const [only] = runs;
    // A single statement is its own transaction: one round trip to the database instead of three.
    if (runs.length === 1 && Array.isArray(only)) return insertEvents(database.query, only, new Set());
    return database.transaction(async (query) => {
      const found: Found[] = [];
      const broken = new Set<string>();
      for (const run of runs) {
        if (Array.isArray(run)) found.push(...(await insertEvents(query, run, broken)));
        else found.push((await isHeld(query, run)) && (await apply(query, run, server)));
      }
      return found;
    });
  };
}

/**
 * `for share` locks the claims until the events are stored: nothing from an older epoch can be stored after a takeover. If an
 * identical event exists already, its acknowledgement was lost with the connection. Once another server has continued a
 * log, no events are added after that server's events.
 */
const insertion = (more = ''): string => `
  with given as (
    select * from unnest($1::text[], $2::integer[], $3::text[], $4::bigint[]) as event (session_id, seq, body, epoch)
  ), held as (
    select task_id, epoch from cosession_claims where task_id = any ($1::text[]) for share
  ), taken as (
    select session_id, min(seq) as seq from given join cosession_events as stored using (session_id, seq)
    where stored.body <> given.body group by session_id
  ), stored as (
    insert into cosession_events as stored (session_id, seq, body)
    select given.session_id, given.seq, given.body from given
      left join held on held.task_id = given.session_id
      left join taken on taken.session_id = given.session_id
    where coalesce(held.epoch, 0) = given.epoch and (taken.seq is null or given.seq < taken.seq)
    on conflict (session_id, seq) do update set body = excluded.body where stored.body = excluded.body
    returning session_id, seq
  )${more}
  select session_id, seq from stored`;

/** Stores the turn updates of the events in the same statement. */
const withTurns = `, news as (
    select turn.* from ${turnsFrom(5)}
    where (turn.task_id, turn.last_seq) in (select session_id, seq from stored)
  ), turned as (${turnInsertion('news')})`;

/** `broken`: tasks that have lost an event in this batch; filled in here. */
async function insertEvents(query: Query, given: readonly EventWrite[], broken: Set<string>): Promise<boolean[]> {
  const events = given.filter(({ taskId }) => !broken.has(taskId));
  const turns = turnsIn(events);
  const hasTurns = turns.length > 0;
  const stored = await query<{ session_id: string; seq: number }>(insertion(hasTurns ? withTurns : ''), [
    events.map(({ taskId }) => taskId),
    events.map(({ seq }) => seq),
    events.map(({ body }) => body),
    events.map(({ epoch }) => epoch),
    ...(hasTurns ? turnValues(turns) : []),
  ]);
  const keys = new Set(stored.map(({ session_id, seq }) => `${seq} ${session_id}`));
  return given.map(({ taskId, seq }) => {
    if (!keys.has(`${seq} ${taskId}`)) broken.add(taskId);
    return !broken.has(taskId);
  });
}

/** The lock protects the claim until the write that depends on it is stored. */
async function isHeld(query: Query, write: OtherWrite): Promise<boolean> {
  if (!isGuarded(write)) return true;
  const [claim] = await query<{ epoch: number }>(
    'select epoch::float8 as epoch from cosession_claims where task_id = $1 for share',
    [write.taskId],
  );
  return (claim?.epoch ?? 0) === write.epoch;
}

async function apply(query: Query, write: OtherWrite, server: string): Promise<Found> {
  const changes = async (sql: string, ...values: readonly unknown[]): Promise<boolean> =>
    (await query(`${sql} returning 1`, values)).length > 0;
  switch (write.type) {
    case 'task': {
      const { id, contextId, state, owner = null, updatedAt } = write.task;
      return changes(
        `insert into cosession_tasks (id, context_id, state, owner, updated_at, body) values ($1, $2, $3, $4, $5, $6)
         on conflict (id) do update set context_id = excluded.context_id, state = excluded.state,
           owner = excluded.owner, updated_at = excluded.updated_at, body = excluded.body`,
        id,
        contextId,
        state,
        owner,
        updatedAt,
        write.body,
      );
    }
    case 'checkpoint':
      return changes(
        `insert into cosession_checkpoints (task_id, body) values ($1, $2)
         on conflict (task_id) do update set body = excluded.body`,
        write.taskId,
        write.body,
      );
    case 'summary': {
      const turns = write.turns.map((turn) => ({ taskId: write.taskId, ...turn }));
      await query(`with news as (select turn.* from ${turnsFrom(1)}) ${turnInsertion('news')}`, turnValues(turns));
      return changes(
        `insert into cosession_summaries (task_id, body) values ($1, $2)
         on conflict (task_id) do update set body = excluded.body`,
        write.taskId,
        write.body,
      );
    }
    case 'webhooks':
      return changes(
        `insert into cosession_webhooks (task_id, are_open, body) values ($1, $2, $3)
         on conflict (task_id) do update set are_open = excluded.are_open, body = excluded.body`,
        write.taskId,
        write.areOpen,
        write.body,
      );
    case 'artifact':
      return changes(
        `insert into cosession_artifacts (task_id, name, body, content) values ($1, $2, $3, $4)
         on conflict (task_id, name) do update set body = excluded.body, content = excluded.content`,
        write.taskId,
        write.name,
        write.body,
        write.content,
      );
    case 'delete': {
      const { taskId } = write;
      await query('delete from cosession_events where session_id = $1', [taskId]);
      for (const table of ['checkpoints', 'artifacts', 'webhooks', 'claims'])
        await query(`delete from cosession_${table} where task_id = $1`, [taskId]);
      return changes('delete from cosession_tasks where id = $1', taskId);
    }
    case 'claim': {
      const [claim] = await query<{ epoch: number }>(
        `insert into cosession_claims as held (task_id, server, epoch) values ($1, $2, nextval('cosession_epochs'))
         on conflict (task_id) do update set server = excluded.server, epoch = excluded.epoch
         where held.server in ('', excluded.server, $3)
         returning epoch::float8 as epoch`,
        [write.taskId, server, write.from ?? server],
      );
      return claim?.epoch ?? false;
    }
    case 'release':
      // The new epoch belongs to nobody, so later writes of this server are rejected.
      return changes(
        `update cosession_claims set server = '', epoch = nextval('cosession_epochs') where task_id = $1`,
        write.taskId,
      );
    case 'server':
      return changes(
        `insert into cosession_servers (id, body, alive_until)
         values ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
         on conflict (id) do update set body = excluded.body, alive_until = excluded.alive_until`,
        server,
        write.body,
        write.leaseMs,
      );
    case 'delete-server':
      return changes('delete from cosession_servers where id = $1', write.id);
    default:
      return unreachable(write);
  }
}

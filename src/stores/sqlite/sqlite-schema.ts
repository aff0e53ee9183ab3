import type { Writer } from './sqlite-connections.js';
import { type Migration, missing } from '../shared/migrations.js';

const migrations: readonly Migration[] = [
  {
    compatibleSince: 1,
    sql: `create table events (
     session_id text not null, seq integer not null, body text not null,
     primary key (session_id, seq)
   ) strict;
   create table tasks (
     id text primary key, context_id text not null, state text not null, owner text, updated_at text not null,
     body text not null
   ) strict;
   create index tasks_by_time on tasks (updated_at desc, id);
   create index tasks_of_context on tasks (context_id, updated_at desc, id);
   create table checkpoints (task_id text primary key, body text not null) strict;
   create table artifacts (
     task_id text not null, name text not null, body text not null, content blob not null,
     primary key (task_id, name)
   ) strict;`,
  },
  {
    compatibleSince: 1,
    sql: `create table servers (id text primary key, body text not null) strict;
   create table claims (task_id text primary key, server text not null) strict;`,
  },
  {
    // Older servers store events without a claim.
    compatibleSince: 3,
    sql: `alter table servers add column alive_until integer not null default 0;
   alter table claims add column epoch integer not null default 0;
   create table epochs (last integer not null) strict;
   insert into epochs values (0);`,
  },
  {
    // Older servers do not send pending webhooks, and do not delete them with their task.
    compatibleSince: 4,
    sql: `create table webhooks (task_id text primary key, are_open integer not null, body text not null) strict;
   create index open_webhooks on webhooks (task_id) where are_open = 1;`,
  },
  {
    // Older servers store neither summaries nor turns; a newer server that loads a task adds them.
    compatibleSince: 4,
    sql: `create table summaries (task_id text primary key, body text not null) strict;
   create table turns (
     task_id text not null, id text not null, first_seq integer not null, last_seq integer not null,
     state text not null, at text not null, context_id text, owner text,
     primary key (task_id, id)
   ) strict, without rowid;
   create index turns_by_time on turns (at desc, id, state, owner);
   create index turns_of_task on turns (task_id, at desc, id, state);
   create trigger forget_task after delete on tasks begin
     delete from turns where task_id = old.id;
     delete from summaries where task_id = old.id;
   end;
   insert into turns
   with told as (
     select session_id, seq, case when json_valid(body) then body else '{}' end as body from events
     where instr(body, '"type":"turn"') or instr(body, '"type":"prompt"')
   ), news as (
     select session_id, body ->> 'turnId' as id, seq, body ->> 'type' as type, body ->> 'at' as at,
       coalesce(body ->> 'state', 'submitted') as state, body ->> 'contextId' as context_id
     from told
   ), turned as (
     select session_id, id, seq, at, state, min(seq) over turn as first_seq, max(seq) over turn as last_seq,
       first_value(context_id) over (turn order by seq) as context_id
     from news where type in ('turn', 'prompt') and id is not null
     window turn as (partition by session_id, id)
   )
   select session_id, id, first_seq, last_seq, state, at, context_id,
     (select owner from tasks where tasks.id = session_id)
   from turned where seq = last_seq;`,
  },
  {
    // Older servers do not count, so what their principals do there is not limited.
    compatibleSince: 4,
    sql: `create table usage (
     day text not null, server text not null, body text not null,
     primary key (day, server)
   ) strict, without rowid;`,
  },
  {
    // A list by state or owner would otherwise look at every task. The last column is for counting.
    compatibleSince: 4,
    sql: `create index if not exists tasks_of_state on tasks (state, updated_at desc, id, owner);
   create index if not exists tasks_of_owner on tasks (owner, updated_at desc, id, state);
   create index if not exists turns_of_state on turns (state, at desc, id, owner);
   create index if not exists turns_of_owner on turns (owner, at desc, id, state);`,
  },
  {
    // Older servers cannot read a checkpoint whose history is stored apart.
    compatibleSince: 8,
    sql: `create table if not exists checkpoint_entries (
     task_id text not null, number integer not null, body text not null,
     primary key (task_id, number)
   ) strict;`,
  },
  {
    // Older servers do not know that a journal may be ahead of the tables.
    compatibleSince: 9,
    sql: `create table if not exists journals (
     name text primary key, applied integer not null
   ) strict, without rowid;`,
  },
];

/** Migrates the database to our version. Fails while a second server does so: the lock decides who does it. */
export async function migrateSqlite(connection: Writer): Promise<void> {
  await connection.exec('begin immediate');
  try {
    await connection.exec(
      `create table if not exists migrations (version integer primary key, at text not null) strict;
       create table if not exists compatibility (version integer primary key, since integer not null) strict`,
    );
    const version = await numberOf(connection, 'select max(version) as number from migrations');
    const compatibleSince = await numberOf(connection, 'select max(since) as number from compatibility');
    for (const { number, sql, compatibleSince: since } of missing(migrations, { version, compatibleSince })) {
      await connection.exec(sql);
      await connection.exec(
        `insert into migrations (version, at) values (${number}, datetime('now'));
         insert into compatibility (version, since) values (${number}, ${since})`,
      );
    }
    await connection.exec('commit');
  } catch (error) {
    await connection.exec('rollback').catch(() => undefined);
    throw error;
  }
}

async function numberOf(connection: Writer, sql: string): Promise<number> {
  const row = (await connection.prepare(sql)).get();
  return typeof row === 'object' && row !== null && 'number' in row ? Number(row.number) : 0;
}

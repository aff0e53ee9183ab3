import { type Migration, missing } from '../shared/migrations.js';
import { connectTo, type Query } from './postgres-database.js';

/** Bodies are text because `jsonb` rejects some characters that events may contain. Queries can use `body::json`. */
const migrations: readonly Migration[] = [
  {
    compatibleSince: 1,
    sql: `create table cosession_events (
     session_id text collate "C" not null, seq integer not null, body text not null,
     primary key (session_id, seq)
   );
   create table cosession_tasks (
     id text collate "C" primary key, context_id text not null, state text not null, owner text,
     updated_at text collate "C" not null, body text not null
   );
   create index cosession_tasks_by_time on cosession_tasks (updated_at desc, id);
   create index cosession_tasks_of_context on cosession_tasks (context_id, updated_at desc, id);
   create table cosession_checkpoints (task_id text primary key, body text not null);
   create table cosession_artifacts (
     task_id text not null, name text collate "C" not null, body text not null, content bytea not null,
     primary key (task_id, name)
   );`,
  },
  {
    compatibleSince: 1,
    sql: `create table cosession_servers (id text primary key, body text not null);
   create table cosession_claims (task_id text primary key, server text not null);`,
  },
  {
    // Older servers store events without a claim.
    compatibleSince: 3,
    sql: `create sequence cosession_epochs;
   alter table cosession_servers add column alive_until timestamptz not null default now();
   alter table cosession_claims add column epoch bigint not null default 0;`,
  },
  {
    // Older servers do not send pending webhooks, and do not delete them with their task.
    compatibleSince: 4,
    sql: `create table cosession_webhooks (task_id text primary key, are_open boolean not null, body text not null);
   create index cosession_open_webhooks on cosession_webhooks (task_id) where are_open;`,
  },
  {
    // Older servers store neither summaries nor turns; a newer server that loads a task adds them.
    compatibleSince: 4,
    sql: `create table cosession_summaries (task_id text primary key, body text not null);
   create table cosession_turns (
     task_id text collate "C" not null, id text collate "C" not null, first_seq integer not null,
     last_seq integer not null, state text not null, at text collate "C" not null, context_id text, owner text,
     primary key (task_id, id)
   );
   create index cosession_turns_by_time on cosession_turns (at desc, id, state, owner);
   create index cosession_turns_of_task on cosession_turns (task_id, at desc, id, state);
   create function cosession_forget_task() returns trigger language plpgsql as $$ begin
     delete from cosession_turns where task_id = old.id;
     delete from cosession_summaries where task_id = old.id;
     return null;
   end $$;
   create trigger cosession_forget_task after delete on cosession_tasks
     for each row execute function cosession_forget_task();
   create function pg_temp.told(body text, name text) returns text language plpgsql as $$ begin
     return body::json ->> name;
   exception when others then
     -- A character that text cannot hold.
     return null;
   end $$;
   lock table cosession_events in share row exclusive mode;
   insert into cosession_turns
   with news as (
     select session_id, pg_temp.told(body, 'turnId') as id, seq, pg_temp.told(body, 'type') as type,
       pg_temp.told(body, 'at') as at, coalesce(pg_temp.told(body, 'state'), 'submitted') as state,
       pg_temp.told(body, 'contextId') as context_id
     from cosession_events where body like '%"type":"turn"%' or body like '%"type":"prompt"%'
   ), turned as (
     select session_id, id, seq, at, state, min(seq) over turn as first_seq, max(seq) over turn as last_seq,
       first_value(context_id) over (turn order by seq) as context_id
     from news where type in ('turn', 'prompt') and id is not null
     window turn as (partition by session_id, id)
   )
   select session_id, id, first_seq, last_seq, state, at, context_id,
     (select owner from cosession_tasks where cosession_tasks.id = session_id)
   from turned where seq = last_seq;
   drop function pg_temp.told;`,
  },
  {
    // Older servers do not count, so what their principals do there is not limited.
    compatibleSince: 4,
    sql: `create table cosession_usage (
     day text collate "C" not null, server text not null, body text not null,
     primary key (day, server)
   );`,
  },
  {
    // Older servers use only the tokens of their state folder.
    compatibleSince: 4,
    sql: `create table if not exists cosession_tokens (
     name text collate "C" primary key, body text not null, used_at timestamptz not null
   );`,
  },
  {
    // Older servers keep the alerts of the page in their state folder.
    compatibleSince: 4,
    sql: 'create table if not exists cosession_alerts (name text collate "C" primary key, body text not null);',
  },
  {
    // Older servers cannot read a checkpoint whose history is stored apart.
    compatibleSince: 9,
    sql: `create table if not exists cosession_checkpoint_entries (
     task_id text not null, number integer not null, body text not null,
     primary key (task_id, number)
   );`,
  },
  {
    // Older servers do not count the turns that they run for an owner.
    compatibleSince: 9,
    sql: `create table if not exists cosession_places (
     id text primary key, owner text not null,
     server text not null references cosession_servers (id) on delete cascade
   );
   create index if not exists cosession_places_of_owner on cosession_places (owner);`,
  },
];

/** An arbitrary number that no other program uses as a lock. */
const lock = 0x636f_7365;
/** A migration may have to read everything in the database. */
const patienceMs = 3_600_000;

/** Migrates the database to our version. The lock makes a second server wait until the first is done. */
export async function migratePostgres(url: string): Promise<void> {
  const database = connectTo(url, { patienceMs });
  try {
    await database.transaction((query) => migrateWith(query));
  } finally {
    await database.close();
  }
}

async function migrateWith(query: Query): Promise<void> {
  await query('select pg_advisory_xact_lock($1)', [lock]);
  await query('create table if not exists cosession_migrations (version integer primary key, at timestamptz not null)');
  await query(
    'create table if not exists cosession_compatibility (version integer primary key, since integer not null)',
  );
  const [found = { version: 0, compatibleSince: 0 }] = await query<{ version: number; compatibleSince: number }>(
    `select coalesce((select max(version) from cosession_migrations), 0) as version,
            coalesce((select max(since) from cosession_compatibility), 0) as "compatibleSince"`,
  );
  for (const { number, sql, compatibleSince } of missing(migrations, found)) {
    await query(sql);
    await query('insert into cosession_migrations (version, at) values ($1, now())', [number]);
    await query('insert into cosession_compatibility (version, since) values ($1, $2)', [number, compatibleSince]);
  }
}

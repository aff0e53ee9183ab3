import { type Migration, missing } from './migrations.js';
import type { Database } from './postgres-database.js';

/** Bodies are text, because `jsonb` refuses characters that an event may hold; `body::json` reads them in a query. */
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
    // Older servers do not send what webhooks wait for, and leave them behind when they delete a task.
    compatibleSince: 4,
    sql: `create table cosession_webhooks (task_id text primary key, are_open boolean not null, body text not null);
   create index cosession_open_webhooks on cosession_webhooks (task_id) where are_open;`,
  },
];

/** Any number that nobody else locks. */
const lock = 0x636f_7365;

/** Brings the database to our version. The lock makes a second server wait until the first is done. */
export async function migrate(database: Database): Promise<void> {
  await database.transaction(async (query) => {
    await query('select pg_advisory_xact_lock($1)', [lock]);
    await query(
      'create table if not exists cosession_migrations (version integer primary key, at timestamptz not null)',
    );
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
  });
}

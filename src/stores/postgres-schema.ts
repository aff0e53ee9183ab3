import type { Sql } from 'postgres';

/**
 * One entry per version, never changed once released: a database goes through those it has not seen.
 * Bodies are text, because `jsonb` refuses characters that an event may hold; `body::json` reads them in a query.
 */
const migrations: readonly string[] = [
  `create table cosession_events (
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
  `create table cosession_servers (id text primary key, body text not null);
   create table cosession_claims (task_id text primary key, server text not null);`,
  `create table cosession_webhooks (task_id text primary key, are_open boolean not null, body text not null);
   create index cosession_open_webhooks on cosession_webhooks (task_id) where are_open;`,
];

/** Any number that nobody else locks. */
const lock = 0x636f_7365;

/** Brings the database to our version. The lock makes a second server wait until the first is done. */
export async function migrate(sql: Sql): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${lock})`;
    await transaction`create table if not exists cosession_migrations (version integer primary key, at timestamptz not null)`;
    const [row] = await transaction<{ version: number }[]>`
      select coalesce(max(version), 0) as version from cosession_migrations`;
    const version = row?.version ?? 0;
    if (version > migrations.length) {
      throw new Error(`it was made by a newer cosession (version ${version} of the tables, here ${migrations.length})`);
    }
    for (const [index, statements] of migrations.entries()) {
      if (index < version) continue;
      await transaction.unsafe(statements);
      await transaction`insert into cosession_migrations values (${index + 1}, now())`;
    }
  });
}

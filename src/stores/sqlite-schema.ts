import type { Writer } from './sqlite-connections.js';
import { type Migration, missing } from './migrations.js';

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
    // Older servers do not send what webhooks wait for, and leave them behind when they delete a task.
    compatibleSince: 4,
    sql: `create table webhooks (task_id text primary key, are_open integer not null, body text not null) strict;
   create index open_webhooks on webhooks (task_id) where are_open = 1;`,
  },
];

/** Brings the database to our version. The lock makes a second server wait until the first is done. */
export async function migrate(connection: Writer): Promise<void> {
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

import type { Writer } from './sqlite-connections.js';

/** One entry per version, never changed once released: a database goes through those it has not seen. */
const migrations: readonly string[] = [
  `create table events (
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
  `create table servers (id text primary key, body text not null) strict;
   create table claims (task_id text primary key, server text not null) strict;`,
  `create table webhooks (task_id text primary key, are_open integer not null, body text not null) strict;
   create index open_webhooks on webhooks (task_id) where are_open = 1;`,
];

/** Brings the database to our version. The lock makes a second server wait until the first is done. */
export async function migrate(connection: Writer): Promise<void> {
  await connection.exec('begin immediate');
  try {
    await connection.exec(
      'create table if not exists migrations (version integer primary key, at text not null) strict',
    );
    const version = await versionOf(connection);
    if (version > migrations.length) {
      throw new Error(`it was made by a newer cosession (version ${version} of the tables, here ${migrations.length})`);
    }
    for (const [index, sql] of migrations.entries()) {
      if (index < version) continue;
      await connection.exec(sql);
      await connection.exec(`insert into migrations values (${index + 1}, datetime('now'))`);
    }
    await connection.exec('commit');
  } catch (error) {
    await connection.exec('rollback').catch(() => undefined);
    throw error;
  }
}

async function versionOf(connection: Writer): Promise<number> {
  const statement = await connection.prepare('select coalesce(max(version), 0) as version from migrations');
  const row = statement.get();
  return typeof row === 'object' && row !== null && 'version' in row ? Number(row.version) : 0;
}

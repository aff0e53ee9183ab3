import { retry } from '../shared/retry.js';
import { connectTo, isPassingInPostgres, type Query } from './postgres-database.js';
import { migratePostgres } from './postgres-schema.js';

/** How long a check of a token waits for the database. */
const patienceMs = 3000;

/** Tokens that all servers of a database share. Only their hashes are in it. */
export async function openPostgresTokens(url: string) {
  await migratePostgres(url);
  const database = connectTo(url, { patienceMs });
  const query: Query = (sql, values) =>
    retry(() => database.query(sql, values), { isPassing: isPassingInPostgres, patienceMs });
  const changes = async (sql: string, ...values: readonly unknown[]): Promise<boolean> =>
    (await query(`${sql} returning 1`, values)).length > 0;
  return {
    names: async (): Promise<string[]> =>
      (await query<{ name: string }>('select name from cosession_tokens')).map(({ name }) => name),
    read: async (name: string): Promise<string | undefined> =>
      (await query<{ body: string }>('select body from cosession_tokens where name = $1', [name]))[0]?.body,
    create: (name: string, record: string, at: Date): Promise<boolean> =>
      changes(
        'insert into cosession_tokens (name, body, used_at) values ($1, $2, $3) on conflict (name) do nothing',
        name,
        record,
        at,
      ),
    remove: (name: string): Promise<boolean> => changes('delete from cosession_tokens where name = $1', name),
    usedAt: async (name: string): Promise<Date | undefined> =>
      (await query<{ used_at: Date }>('select used_at from cosession_tokens where name = $1', [name]))[0]?.used_at,
    markUsed: async (name: string, at: Date): Promise<void> =>
      void (await query('update cosession_tokens set used_at = $2 where name = $1', [name, at])),
    close: (): Promise<void> => database.close(),
  };
}

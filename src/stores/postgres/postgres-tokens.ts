import { retry } from '../shared/retry.js';
import { connectTo, isPassingInPostgres, type Query } from './postgres-database.js';
import { migratePostgres } from './postgres-schema.js';

/** How long a check of a token waits for the database. */
const patienceMs = 3000;

/** Data that all servers of a database share besides tasks: the hashes of tokens, and the alerts of the page. */
export async function openPostgresTokens(url: string) {
  await migratePostgres(url);
  const database = connectTo(url, { patienceMs });
  const query: Query = (sql, values) =>
    retry(() => database.query(sql, values), { isPassing: isPassingInPostgres, patienceMs });
  const changes = async (sql: string, ...values: readonly unknown[]): Promise<boolean> =>
    (await query(`${sql} returning 1`, values)).length > 0;
  const readAlert = async (name: string): Promise<string | undefined> =>
    (await query<{ body: string }>('select body from cosession_alerts where name = $1', [name]))[0]?.body;
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
    /** What the alerts of the page keep, sealed. */
    alerts: {
      names: async (): Promise<string[]> =>
        (await query<{ name: string }>('select name from cosession_alerts')).map(({ name }) => name),
      read: readAlert,
      async put(name: string, text: string): Promise<void> {
        const sql = `insert into cosession_alerts (name, body) values ($1, $2)
          on conflict (name) do update set body = excluded.body`;
        await query(sql, [name, text]);
      },
      async once(name: string, create: () => string): Promise<string> {
        const known = await readAlert(name);
        if (known !== undefined) return known;
        const text = create();
        const isMade = await changes(
          'insert into cosession_alerts (name, body) values ($1, $2) on conflict (name) do nothing',
          name,
          text,
        );
        return isMade ? text : ((await readAlert(name)) ?? text);
      },
      remove: async (name: string): Promise<void> =>
        void (await query('delete from cosession_alerts where name = $1', [name])),
    },
    close: (): Promise<void> => database.close(),
  };
}

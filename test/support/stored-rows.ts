import Database from 'libsql';

/** What a server keeps of its tasks, table by table; `servers` is left out, since it is written while nobody asks for anything. */
const tables = ['tasks', 'events', 'turns', 'checkpoints', 'checkpoint_entries', 'artifacts', 'claims'];

/** Everything that the SQLite file of a server has of its tasks, as text. */
export function storedRows(file: string): Record<string, string> {
  const database = new Database(file, { readonly: true });
  try {
    return Object.fromEntries(
      tables.map((table) => [table, JSON.stringify(database.prepare(`select * from ${table} order by 1, 2`).all())]),
    );
  } finally {
    database.close();
  }
}

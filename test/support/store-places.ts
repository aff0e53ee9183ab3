import { join } from 'node:path';
import Database from 'libsql';
import { connectTo } from '../../src/stores/postgres/postgres-database.js';
import { usePostgres } from './use-postgres.js';

/** A store of a server, and how to change its tables past the server; their names begin with what is given. */
export type StorePlace = {
  readonly url: string;
  readonly change: (sql: (prefix: string) => string) => Promise<void>;
};

/** The stores with tables, for `test.each`: a name, and what makes a place that nobody has used yet. */
export function useStorePlaces(): readonly (readonly [string, (folder: string) => Promise<StorePlace>])[] {
  const database = usePostgres();
  const sqlite = async (folder: string): Promise<StorePlace> => {
    const file = join(folder, 'tasks.db');
    return {
      url: `sqlite:${file}`,
      async change(sql) {
        const connection = new Database(file);
        connection.exec(sql(''));
        connection.close();
      },
    };
  };
  const postgres = async (): Promise<StorePlace> => {
    const url = await database.server.newPlace();
    return {
      url,
      async change(sql) {
        const connection = connectTo(url);
        await connection.query(sql('cosession_'));
        await connection.close();
      },
    };
  };
  return [
    ['sqlite', sqlite],
    ['postgres', postgres],
  ];
}

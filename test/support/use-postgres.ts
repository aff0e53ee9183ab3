import { afterAll, beforeAll } from 'vitest';
import { type PostgresServer, startPostgres } from './postgres.js';

/** One database server for all tests of a file. */
export function usePostgres(): { readonly server: PostgresServer } {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.remove());
  return {
    get server() {
      if (!server) throw new Error('the database is started before the first test');
      return server;
    },
  };
}

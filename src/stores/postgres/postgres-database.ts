import pg from 'pg';

/** Runs one statement, or several that have no values. */
export type Query = <Row extends object>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

/** A pool of connections. A failed statement or transaction discards its connection; the next one gets a new one. */
export type Database = {
  readonly query: Query;
  /** Runs `work` in one transaction. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** Time limits for connecting and for a statement: a network that drops packets reports no error. */
const connectMs = 10_000;
const statementMs = 10_000;

export function connectTo(url: string, { patienceMs = statementMs } = {}): Database {
  const pool = new pg.Pool({
    connectionString: connectionString(url),
    max: 5,
    connectionTimeoutMillis: connectMs,
    // If the database is reachable, it times out first; otherwise this side does.
    statement_timeout: patienceMs,
    query_timeout: patienceMs + 1000,
    // A server that is cut off during a transaction would keep locks that others wait for.
    idle_in_transaction_session_timeout: patienceMs,
    keepAlive: true,
    application_name: 'cosession',
  });
  // Losing an idle connection is not a failure; one lost between two statements makes the next statement fail. The listener
  // is there from the first tick, because the packet that makes a connection ready may also end it.
  const ignore = (): void => undefined;
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return {
    query: async (sql, values) => rowsOf(await pool.query(named(sql, values))),
    async transaction(work) {
      const client = await pool.connect();
      let failure: Error | undefined;
      try {
        await client.query('begin');
        const done = await work(async (sql, values) => rowsOf(await client.query(named(sql, values))));
        await client.query('commit');
        return done;
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error));
        throw error;
      } finally {
        client.release(failure);
      }
    },
    close: () => pool.end(),
  };
}

/** The database is down or starting, or two transactions conflicted. */
export function isPassingInPostgres(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|57P0|57014|53300|40001|40P01|25P03)/.test(error.code ?? '');
  // The driver's connection errors share no code; internal errors have their own types.
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError);
}

/** Statements with values are few and frequent. Naming them lets the database parse each once per connection. */
const names = new Map<string, string>();

function named(text: string, values: readonly unknown[] | undefined): pg.QueryConfig {
  if (values === undefined) return { text };
  const name = names.get(text) ?? `cosession-${names.size + 1}`;
  names.set(text, name);
  return { name, text, values: [...values] };
}

function rowsOf<Row extends object>({ rows }: { rows: Row[] }): Row[] {
  return rows;
}

/** Reads the URL as libpq does: `sslmode=require` does not verify the certificate authority, and settings are allowed. */
export function connectionString(url: string): string {
  const [base = '', query = ''] = url.split('?');
  const parameters = new URLSearchParams(query);
  const settings = [
    // Acknowledged writes must be durable, whatever the default of the database is.
    '-c synchronous_commit=on',
    ...(parameters.has('search_path') ? [`-c search_path=${parameters.get('search_path')}`] : []),
    ...parameters.getAll('options'),
  ];
  parameters.delete('search_path');
  parameters.set('options', settings.join(' '));
  parameters.set('uselibpqcompat', 'true');
  return `${base}?${parameters.toString().replaceAll('+', '%20')}`;
}

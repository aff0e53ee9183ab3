import pg from 'pg';

/** Runs one statement, or several that have no values. */
export type Query = <Row extends object>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

/** A pool of connections. What fails takes its connection with it: the next statement gets a new one. */
export type Database = {
  readonly query: Query;
  /** Statements of one transaction, which ends with `work`. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** Waiting for a connection, and for a statement: a network that swallows packets says nothing by itself. */
const connectMs = 10_000;
const statementMs = 10_000;

export function connectTo(url: string, { patienceMs = statementMs } = {}): Database {
  const pool = new pg.Pool({
    connectionString: connectionString(url),
    max: 5,
    connectionTimeoutMillis: connectMs,
    // The database gives up first, if it can be reached; this side notices when it cannot.
    statement_timeout: patienceMs,
    query_timeout: patienceMs + 1000,
    // A server that was cut off in a transaction holds locks that others wait for.
    idle_in_transaction_session_timeout: patienceMs,
    keepAlive: true,
    application_name: 'cosession',
  });
  // A connection that is lost while nobody uses it is nobody's failure.
  pool.on('error', () => undefined);
  return {
    query: async (sql, values) => rowsOf(await pool.query(named(sql, values))),
    async transaction(work) {
      const client = await pool.connect();
      // Between two statements nobody hears of a connection that is lost; the next statement does.
      const ignore = (): void => undefined;
      client.on('error', ignore);
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
        client.removeListener('error', ignore);
        client.release(failure);
      }
    },
    close: () => pool.end(),
  };
}

/** The server is away or coming up, or two transactions were in each other's way. */
export function isPassingInPostgres(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|57P0|57014|53300|40001|40P01|25P03)/.test(error.code ?? '');
  // What the driver says of connections has no common code; mistakes of ours have a type of their own.
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError);
}

/** Statements with values are few and come often: the database parses each once per connection. */
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

/** As libpq reads it: `sslmode=require` asks for no certificate of a known authority, and settings may be given. */
function connectionString(url: string): string {
  const [base = '', query = ''] = url.split('?');
  const parameters = new URLSearchParams(query);
  const settings = [
    // What was acknowledged must last, whatever the default of the database is.
    '-c synchronous_commit=on',
    ...(parameters.has('search_path') ? [`-c search_path=${parameters.get('search_path')}`] : []),
    ...parameters.getAll('options'),
  ];
  parameters.delete('search_path');
  parameters.set('options', settings.join(' '));
  parameters.set('uselibpqcompat', 'true');
  return `${base}?${parameters.toString().replaceAll('+', '%20')}`;
}

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connectTo, connectionString } from '../../stores/postgres/postgres-database.js';

export type PostgresListener = {
  /** Resolves once the database has registered it. Returns the undo. */
  listen(channel: string, listener: (payload: string) => void): Promise<() => void>;
  /** Sends in order, many at a time. A message that cannot be sent is lost. */
  notify(channel: string, payload: string): void;
  readonly isConnected: boolean;
  close(): Promise<void>;
};

const reconnectMs = 500;
/** A database that vanishes silently would otherwise keep us waiting for minutes. */
const connectMs = 10_000;
/** Notices that wait for the database. More are dropped: their readers find everything in the store. */
const maxWaiting = 50_000;
const batch = 500;

/** One connection that listens, opened again whenever it breaks, and a pool that sends. */
export async function openListener(url: string, onError: (error: unknown) => void): Promise<PostgresListener> {
  const pool = connectTo(url);
  const listeners = new Map<string, Set<(payload: string) => void>>();
  const outgoing: (readonly [channel: string, payload: string])[] = [];
  let sending: Promise<void> | undefined;
  const life = { isClosed: false };
  let client: pg.Client | undefined;
  /** One statement at a time, as the driver wants it. If the connection breaks, the next one listens to everything. */
  let statements: Promise<unknown> = Promise.resolve();
  const run = (sql: string): Promise<unknown> =>
    (statements = statements.then(() => client?.query(sql)).catch(() => undefined));

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: connectionString(url),
      keepAlive: true,
      connectionTimeoutMillis: connectMs,
    });
    next.on('error', () => undefined);
    next.on('notification', ({ channel, payload = '' }) => {
      for (const listener of listeners.get(channel) ?? []) safely(() => listener(payload));
    });
    await next.connect();
    // Registered before the first statement: a connection that breaks during it is opened again, too.
    next.once('end', () => void reconnect(next));
    for (const channel of listeners.keys()) await next.query(`listen ${channel}`);
    client = next;
  }

  async function reconnect(broken: pg.Client): Promise<void> {
    if (client === broken) client = undefined;
    while (!life.isClosed && client === undefined) {
      await sleep(reconnectMs, undefined, { ref: false });
      await connect().catch(() => undefined);
    }
  }

  async function drain(): Promise<void> {
    while (outgoing.length > 0) {
      const sent = outgoing.splice(0, batch);
      const values = [sent.map(([channel]) => channel), sent.map(([, payload]) => payload)];
      const sql = 'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as sent (channel, payload)';
      await pool.query(sql, values).catch(() => undefined);
    }
    sending = undefined;
  }

  function safely(run: () => void): void {
    try {
      run();
    } catch (error) {
      onError(error);
    }
  }

  await connect();
  return {
    async listen(channel, listener) {
      const known = listeners.get(channel);
      const all = known ?? new Set();
      listeners.set(channel, all.add(listener));
      if (!known) await run(`listen ${channel}`);
      return () => {
        all.delete(listener);
        if (all.size > 0 || listeners.get(channel) !== all) return;
        listeners.delete(channel);
        void run(`unlisten ${channel}`);
      };
    },
    notify(channel, payload) {
      if (outgoing.length < maxWaiting) outgoing.push([channel, payload]);
      sending ??= drain();
    },
    get isConnected() {
      return client !== undefined;
    },
    async close() {
      life.isClosed = true;
      await sending;
      await client?.end().catch(() => undefined);
      await pool.close();
    },
  };
}

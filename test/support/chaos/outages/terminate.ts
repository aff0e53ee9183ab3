import type pg from 'pg';
import type { Outage } from './outage.js';

/** An administrator ends every connection of the server, as before maintenance. */
export function terminate(administrator: () => pg.Pool): Outage {
  const end = async (): Promise<void> => {
    const others = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cosession'`;
    await administrator().query(others);
  };
  return {
    name: 'pg_terminate_backend',
    canLast: false,
    async begin() {
      await end();
      return end;
    },
  };
}

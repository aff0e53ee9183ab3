import type { PostgresServer } from '../../postgres.js';
import type { Outage } from './outage.js';

/** `pg_ctl stop`, and later `start`: nobody listens in between. */
export function restart(postgres: PostgresServer): Outage {
  return {
    name: 'database restarted',
    canLast: true,
    async begin() {
      await postgres.stop();
      return () => postgres.start();
    },
  };
}

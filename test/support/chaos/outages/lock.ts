import Database from 'libsql';
import { until } from '../../until.js';
import type { Outage } from './outage.js';

/** Another program holds the lock of the SQLite file. */
export function lock(file: string): Outage {
  return {
    name: 'SQLite locked',
    canLast: true,
    async begin() {
      const other = new Database(file, { timeout: 0 });
      await until(() => takes(other));
      return async () => {
        other.exec('rollback');
        other.close();
      };
    },
  };
}

/** Tried again and again instead of waited for: our clients live in this process. */
function takes(database: Database.Database): boolean {
  try {
    database.exec('begin immediate');
    return true;
  } catch {
    return false;
  }
}

import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';

/** Tells the servers of one state folder which of them have died. */
export type ServerLock = {
  /** Whether that server had its lock here and does not hold it any more. False also when nothing is known of it. */
  isDead(server: string): boolean;
  release(): void;
};

/**
 * Holds a lock of SQLite as long as this process lives: however it ends, the system takes the lock away in that moment. So
 * the next start need not wait for the lease of the server that was killed here.
 */
export function lockServer(stateDir: string, server: string): ServerLock {
  const folder = join(stateDir, 'servers');
  const fileOf = (name: string): string => join(folder, `${name}.lock`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) forgetOld(join(folder, name));
  const own = tryLock(fileOf(server));
  return {
    isDead(name) {
      if (name === server || !existsSync(fileOf(name))) return false;
      const taken = tryLock(fileOf(name));
      if (!taken) return false;
      rmSync(fileOf(name));
      taken.close();
      return true;
    },
    release() {
      rmSync(fileOf(server), { force: true });
      own?.close();
    },
  };
}

/** Whatever store they were on, nobody asks for servers that have long been dead. */
function forgetOld(file: string): void {
  if (Date.now() - statSync(file).mtimeMs < 86_400_000) return;
  const taken = tryLock(file);
  if (taken) rmSync(file);
  taken?.close();
}

function tryLock(file: string): Database.Database | undefined {
  const database = new Database(file, { timeout: 0 });
  try {
    // Nothing is ever written, so no journal is needed beside it.
    database.exec('pragma journal_mode = memory; begin exclusive');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return undefined;
    throw error;
  }
}

import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';

/** Lets the servers of one state folder find out which of them have died. */
export type ServerLock = {
  /** Whether that server had its lock here and no longer holds it. False for an unknown server. */
  isDead(server: string): boolean;
  release(): void;
};

/**
 * Holds an SQLite lock as long as this process lives. However the process ends, the system releases the lock immediately, so
 * the next start need not wait for the lease of a server that was killed here.
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

/** Removes the lock file of a server that died long ago: whatever its store was, nobody asks about it any more. */
function forgetOld(file: string): void {
  if (Date.now() - statSync(file).mtimeMs < 86_400_000) return;
  const taken = tryLock(file);
  if (taken) rmSync(file);
  taken?.close();
}

function tryLock(file: string): Database.Database | undefined {
  const database = new Database(file, { timeout: 0 });
  try {
    // Nothing is ever written, so no journal file is needed.
    database.exec('pragma journal_mode = memory; begin exclusive');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return undefined;
    throw error;
  }
}

import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import AsyncDatabase from 'libsql/promise';
import { migrateSqlite } from './sqlite-schema.js';

/** Writes of another process are waited for this long. */
const busyTimeoutMs = 10_000;

/**
 * Three connections to one file. The writing one runs `begin` and `commit` on a thread of the driver, because a commit waits
 * for the disk; statements between them only touch memory. The other two are synchronous: readers never wait in WAL mode,
 * and the quick one writes what need not be on the disk yet, or fails at once while another one writes.
 */
export type Connections = {
  readonly reader: Database.Database;
  readonly quick: Database.Database;
  readonly writer: Writer;
  /** Leaves one file that holds everything. */
  close(): Promise<void>;
};

/** The part of `libsql/promise` that is used; its own types are all `any`. */
export type Writer = {
  exec(sql: string): Promise<void>;
  prepare(sql: string): Promise<WriteStatement>;
  close(): void;
};

export type WriteStatement = {
  run(...values: readonly unknown[]): { readonly changes: number };
  get(...values: readonly unknown[]): unknown;
};

export async function openConnections(file: string): Promise<Connections> {
  createPrivately(file);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see Writer
  const writer = new AsyncDatabase(file, { timeout: busyTimeoutMs }) as unknown as Writer;
  try {
    await makeShrinkable(writer);
    await writer.exec('pragma journal_mode = wal; pragma cache_size = -16384; pragma journal_size_limit = 16777216');
    await migrateSqlite(writer);
    const reader = new Database(file, { timeout: busyTimeoutMs });
    const quick = new Database(file, { timeout: 0 });
    // Moving the log into the tables waits for the disk; that is for the writer.
    quick.exec('pragma synchronous = normal; pragma wal_autocheckpoint = 0');
    const close = async (): Promise<void> => {
      // The driver leaves it beside the file: a copy of the file alone would be old.
      await writer.exec('pragma incremental_vacuum; pragma wal_checkpoint(truncate)').catch(() => undefined);
      reader.close();
      quick.close();
      writer.close();
    };
    return { reader, quick, writer, close };
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** Without it a file never gets smaller. A file of before is rewritten once, unless another server uses it. */
async function makeShrinkable(writer: Writer): Promise<void> {
  const isShrinkable = (await writer.prepare('select 1 from pragma_auto_vacuum where auto_vacuum = 2')).get();
  if (isShrinkable !== undefined) return;
  await writer.exec('pragma auto_vacuum = incremental; vacuum').catch(() => undefined);
}

/** Conversations are nobody else's business. SQLite gives the files beside it the same mode. */
function createPrivately(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
}

import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import AsyncDatabase from 'libsql/promise';
import { migrateSqlite } from './sqlite-schema.js';

/** How long to wait while another process writes. */
const busyTimeoutMs = 10_000;

/**
 * Three connections to one file. The writer runs `begin` and `commit` on a thread of the driver, because a commit waits for
 * the disk; the statements between them only touch memory. The other two are synchronous. The reader never waits in WAL
 * mode. The quick one writes what need not be on the disk yet, or fails immediately while another connection writes.
 */
export type Connections = {
  readonly reader: Database.Database;
  readonly quick: Database.Database;
  readonly writer: Writer;
  /** Leaves a single file that contains everything. */
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
    // Moving the write-ahead log into the tables waits for the disk, so the writer does it.
    quick.exec('pragma synchronous = normal; pragma wal_autocheckpoint = 0');
    const close = async (): Promise<void> => {
      // The driver leaves the write-ahead log next to the file; a copy of the file alone would be out of date.
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

/** Without this, a file never shrinks. An older file is rewritten once, unless another server is using it. */
async function makeShrinkable(writer: Writer): Promise<void> {
  const isShrinkable = (await writer.prepare('select 1 from pragma_auto_vacuum where auto_vacuum = 2')).get();
  if (isShrinkable !== undefined) return;
  await writer.exec('pragma auto_vacuum = incremental; vacuum').catch(() => undefined);
}

/** Conversations are private. SQLite gives its companion files the same mode. */
function createPrivately(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
}

import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import AsyncDatabase from 'libsql/promise';
import { busyTimeoutMs, onceUnlocked } from './sqlite-locked.js';
import { DiskSync } from './disk-sync.js';
import { migrateSqlite } from './sqlite-schema.js';

/**
 * Three connections to one file. The quick one writes in this tick, without waiting for the disk, or fails immediately while
 * another connection writes. The writer does what takes time on a thread of the driver: it waits for other processes, and
 * moves the write-ahead log into the tables. The reader never waits in WAL mode.
 */
export type Connections = {
  readonly reader: Database.Database;
  readonly quick: Database.Database;
  readonly writer: Writer;
  /** SQLite's write-ahead log. Whatever SQLite has moved out of it is on the disk. */
  readonly log: DiskSync;
  /** Resolves once everything that is committed now is on the disk. */
  syncAll(): Promise<void>;
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
  const writer = await onceUnlocked(() => openWriter(file));
  try {
    const reader = new Database(file, { timeout: busyTimeoutMs });
    const quick = new Database(file, { timeout: 0 });
    quick.exec(`${committing}; pragma cache_size = -16384`);
    // SQLite keeps no locks on this file, so opening it a second time is harmless. It exists as long as a connection is open.
    const log = new DiskSync(openSync(`${file}-wal`, 'a+', 0o600));
    const syncAll = (): Promise<void> => {
      log.note();
      return log.sync();
    };
    const close = async (): Promise<void> => {
      // The driver leaves the write-ahead log next to the file; a copy of the file alone would be out of date.
      await writer.exec('pragma incremental_vacuum; pragma wal_checkpoint(truncate)').catch(() => undefined);
      reader.close();
      quick.close();
      writer.close();
      await log.close();
    };
    return { reader, quick, writer, log, syncAll, close };
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** Gives the file our form. Fails at once if it is locked; the connection is of no use then, as a statement is half done. */
async function openWriter(file: string): Promise<Writer> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see Writer
  const writer = new AsyncDatabase(file, { timeout: 0 }) as unknown as Writer;
  try {
    await makeShrinkable(writer);
    await writer.exec(`pragma journal_mode = wal; ${committing}`);
    await migrateSqlite(writer);
    await writer.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
    return writer;
  } catch (error) {
    writer.close();
    throw error;
  }
}

/**
 * A commit does not wait for the disk: `sync` does that for many at once. Moving the log into the tables does, so nothing
 * does it in passing.
 */
const committing = 'pragma synchronous = normal; pragma wal_autocheckpoint = 0; pragma journal_size_limit = 16777216';

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

// Loaded into the server with `node --import`: a disk that takes its time, so that a crash has a chance to come between
// what the server says and what it has stored.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import Database from 'libsql/promise';

const slowestMs = 12;
/** @type {{ exec: (sql: string) => Promise<void> }} */
const writer = Database.prototype;
const { exec } = writer;

/** @this {typeof writer} */
writer.exec = async function slowly(/** @type {string} */ sql) {
  if (sql === 'commit') await new Promise((resolve) => setTimeout(resolve, Math.random() * slowestMs));
  await exec.call(this, sql);
};

const { fdatasync } = fs;
/** @type {(file: number, done: (error: Error | null) => void) => void} */
const syncSlowly = (file, done) => void setTimeout(() => fdatasync(file, done), Math.random() * slowestMs);
fs.fdatasync = /** @type {typeof fs.fdatasync} */ (/** @type {unknown} */ (syncSlowly));
syncBuiltinESMExports();

/// <reference types="node" />
// Preloaded into the built server, this makes it the next release: its schema has one more version, which adds a column to
// every table, and its messages on the bus have one, too, and a field that this release does not know.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const tables = [
  'events',
  'tasks',
  'turns',
  'summaries',
  'checkpoints',
  'checkpoint_entries',
  'artifacts',
  'webhooks',
  'servers',
  'claims',
  'usage',
  'tokens',
  'alerts',
  'places',
];
const sql = tables.map((table) => `alter table cosession_${table} add column more text not null default ''`).join(';');

/** @param {string} text */
const ofNextRelease = (text) =>
  text
    .replace(
      /\(migrations,\s?found\)/,
      () => `([...migrations, { compatibleSince: migrations.length, sql: ${JSON.stringify(sql)} }], found)`,
    )
    .replace(/\bvar speaks\s?=\s?(\d+)/, (whole, version) => `var speaks = ${Number(version) + 1}`)
    .replace(/\bmin:\s?([\w.()]*readableSince\)?),/, 'min: $1, more: "of the next release",');

const { readFileSync } = fs;
Object.assign(fs, {
  /** @type {(...args: Parameters<typeof readFileSync>) => Buffer | string} */
  readFileSync: (...args) => {
    const read = readFileSync(...args);
    const isOurs = /\/dist\/.*\.cjs$/.test(String(args[0])) && Buffer.isBuffer(read);
    return isOurs ? Buffer.from(ofNextRelease(read.toString('latin1')), 'latin1') : read;
  },
});
syncBuiltinESMExports();

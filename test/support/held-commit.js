/// <reference types="node" />
// Loaded into the server with `node --import`: once core says that a tool runs, every commit is held until SIGUSR2 comes. The
// file `held` says that one is held.
import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql/promise';

const folder = process.env['HELD_COMMIT_FOLDER'] ?? '.';
// The listener stays: a library that finds itself alone with a signal (signal-exit, below core) ends the process.
const released = new Promise((resolve) => process.on('SIGUSR2', resolve));
let isHolding = false;

/** @type {{ exec: (sql: string) => Promise<void> }} */
const writer = Database.prototype;
const { exec } = writer;

/** @this {typeof writer} */
writer.exec = async function held(/** @type {string} */ sql) {
  if (sql === 'commit' && isHolding) {
    writeFileSync(join(folder, 'held'), '');
    await released;
  }
  await exec.call(this, sql);
};

/** @type {{ emit: (name: string, ...args: unknown[]) => boolean }} */
const bus = EventEmitter.prototype;
const { emit } = bus;

/** @this {typeof bus} */
bus.emit = function watched(/** @type {string} */ name, /** @type {unknown[]} */ ...args) {
  if (name === 'tool-calls-update' && runs(args[0])) isHolding = true;
  return emit.call(this, name, ...args);
};

/** @param {unknown} update */
function runs(update) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- core's own message
  const { toolCalls } = /** @type {{ toolCalls: { status: string }[] }} */ (update);
  return toolCalls.some(({ status }) => status === 'executing');
}

/// <reference types="node" />
// Loaded into the server with `node --import`: once core says that a tool runs, nothing reaches the disk until SIGUSR2
// comes, so the store acknowledges nothing. The file `held` says that one write is held.
import { EventEmitter } from 'node:events';
import fs, { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const folder = process.env['HELD_COMMIT_FOLDER'] ?? '.';
// The listener stays: a library that finds itself alone with a signal (signal-exit, below core) ends the process.
const released = new Promise((resolve) => process.on('SIGUSR2', resolve));
let isHolding = false;

const { fdatasync } = fs;

/** @type {(file: number, done: (error: Error | null) => void) => void} */
const held = (file, done) => {
  if (!isHolding) return fdatasync(file, done);
  writeFileSync(join(folder, 'held'), '');
  void released.then(() => fdatasync(file, done));
};
Object.assign(fs, { fdatasync: held });
syncBuiltinESMExports();

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

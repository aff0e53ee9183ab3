/// <reference types="node" />
// Loaded into the server with `node --import`: what would reach the disk while the file `hold` exists is held until core has
// asked for a permission, so the store does not acknowledge it. The file `held` says that one write is held.
import { EventEmitter, once } from 'node:events';
import fs, { existsSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const folder = process.env['LATE_ANSWER_FOLDER'] ?? '.';
const questions = new EventEmitter();
const asked = once(questions, 'asked');

const { fdatasync } = fs;

/** @type {(file: number, done: (error: Error | null) => void) => void} */
const late = (file, done) => {
  if (!existsSync(join(folder, 'hold'))) return fdatasync(file, done);
  writeFileSync(join(folder, 'held'), '');
  void asked.then(() => fdatasync(file, done));
};
Object.assign(fs, { fdatasync: late });
syncBuiltinESMExports();

/** @type {{ emit: (name: string, ...args: unknown[]) => boolean }} */
const bus = EventEmitter.prototype;
const { emit } = bus;

/** @this {typeof bus} */
bus.emit = function watched(/** @type {string} */ name, /** @type {unknown[]} */ ...args) {
  const isHeard = emit.call(this, name, ...args);
  if (name === 'tool-calls-update' && asks(args[0])) setImmediate(() => questions.emit('asked'));
  return isHeard;
};

/** @param {unknown} update */
function asks(update) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- core's own message
  const { toolCalls } = /** @type {{ toolCalls: { status: string }[] }} */ (update);
  return toolCalls.some(({ status }) => status === 'awaiting_approval');
}

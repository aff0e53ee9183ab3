/// <reference types="node" />
// Loaded into the server with `node --import`: a commit that begins while the file `hold` exists is held until core has asked
// for a permission. The file `held` says that one is held.
import { EventEmitter, once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql/promise';

const folder = process.env['LATE_ANSWER_FOLDER'] ?? '.';
const questions = new EventEmitter();
const asked = once(questions, 'asked');

/** @type {{ exec: (sql: string) => Promise<void> }} */
const writer = Database.prototype;
const { exec } = writer;

/** @this {typeof writer} */
writer.exec = async function late(/** @type {string} */ sql) {
  if (sql === 'commit' && existsSync(join(folder, 'hold'))) {
    writeFileSync(join(folder, 'held'), '');
    await asked;
  }
  await exec.call(this, sql);
};

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

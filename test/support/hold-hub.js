/// <reference types="node" />
// Loaded into the Gemini CLI with `node --import`: our hub is loaded only once the file that HOLD_HUB_UNTIL names exists.
// Registers itself as a hook of Node's module loader, which runs it a second time, in a thread of its own.
import { existsSync } from 'node:fs';
import { register } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) register(import.meta.url);

const file = process.env['HOLD_HUB_UNTIL'] ?? '';

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (/\/dist\/chunks\/app-\w+\.js$/.test(url)) while (!existsSync(file)) await sleep(20);
  return next(url, context);
}

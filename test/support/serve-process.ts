import type { ChildProcess } from 'node:child_process';
import { afterEach } from 'vitest';
import { type ServeProcess, type ServeProcessOptions, spawnServe } from './spawn-serve.js';

export type { ServeProcess, ServeProcessOptions };

const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** The built `cosession serve`, for a test: it is killed after it. */
export function startServe(options: ServeProcessOptions): Promise<ServeProcess> {
  return spawnServe(options, (child) => started.push(child));
}

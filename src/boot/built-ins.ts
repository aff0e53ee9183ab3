import { createRequire } from 'node:module';

/** What a server needs of Node before its first task. */
const needed = [
  'assert',
  'child_process',
  'cluster',
  'crypto',
  'dgram',
  'dns',
  'dns/promises',
  'fs/promises',
  'http',
  'https',
  'perf_hooks',
  'process',
  'readline',
  'stream/consumers',
  'timers/promises',
  'tty',
  'worker_threads',
  'zlib',
];

/**
 * Node has in itself what V8 has compiled of its own modules, but V8 takes that only under the options that the process began with.
 * Under ours, it would compile them anew.
 */
export function loadBuiltIns(): void {
  const require = createRequire(import.meta.url);
  for (const name of needed) require(`node:${name}`);
}

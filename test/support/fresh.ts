import { afterAll, afterEach, vi } from 'vitest';
import { endLeftovers } from './leftovers.js';

/**
 * Test files share processes and modules, which load slowly. Each begins with the environment and the clock of the process, and
 * leaves nothing behind. Our modules keep nothing that a test could see, but core does: vitest.config.ts lists who runs alone.
 */
const env = { ...process.env };
const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate, Date } = globalThis;

afterEach(() => endLeftovers('test'));

afterAll(async () => {
  vi.useRealTimers();
  await endLeftovers('file');
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  // A spy on a timer that was held gives the held one back.
  Object.assign(globalThis, {
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
    setImmediate,
    clearImmediate,
    Date,
  });
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
});

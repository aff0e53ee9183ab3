import { expect, test } from 'vitest';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Node says so itself. It compiled 84 of them anew for a server when our options of V8 were set first. */
test('a server starts with what Node has compiled of its own modules', async () => {
  const env = { NODE_DEBUG_NATIVE: 'code_cache' };
  const served = await startServe({ folder: temporaryFolder(), modelUrl: 'http://127.0.0.1:9', env });
  served.kill('SIGTERM');
  expect(await served.exit).toBe(0);
  const named = (what: string): string[] =>
    Array.from(served.stderr.matchAll(new RegExp(`Code cache of (\\S+) .*is ${what}`, 'g')), ([, name = '']) => name);
  expect(named('accepted').length).toBeGreaterThan(50);
  // Some are loaded when something else is asked for, and differ between releases of Node.
  const anew = named('rejected').filter((name) => !name.startsWith('internal/'));
  expect(anew).toEqual([]);
});

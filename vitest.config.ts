import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { bundledCore } from './test/support/bundled-core.js';
import { LongestFirst } from './test/support/longest-first.js';

/** These look at what a process has only one of: its memory, its timeline, its errors, what core keeps for all sessions. */
const alone = [
  'test/a2a/slow-reader.test.ts',
  'test/acp/many-tasks.test.ts',
  'test/engine/headless/**/*.test.ts',
  'test/server/bad-input.test.ts',
];

export default defineConfig({
  plugins: [bundledCore],
  test: {
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      // A process and the modules it loads take most of the time of a small file, so files share a few processes with all
      // their modules; test/support/fresh.ts keeps the rest apart.
      { extends: true, test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: alone, isolate: false } },
    ],
    // What one program has compiled, the next one uses, as on a user's machine.
    env: { XDG_CACHE_HOME: join(tmpdir(), 'cosession-test-cache') },
    setupFiles: ['test/support/fresh.ts', 'test/support/quiet.ts'],
    // Counts what runs in the test processes. The programs that tests start are not counted: many of them are killed.
    coverage: { include: ['src/**/*.ts'], reporter: ['text-summary'] },
    sequence: { sequencer: LongestFirst, setupFiles: 'list' },
    // For what hangs. What a test waits for has limits of its own, and no machine is too slow for them.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // Each file of test/e2e runs a Gemini CLI of its own, about 300 MB and a core while it starts. Many tests wait: for a
    // clock, a database, another program; so four keep two cores busy.
    maxWorkers: 4,
  },
});

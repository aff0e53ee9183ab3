import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.js';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/quiet.ts'],
    // Counts what runs in the test processes. The programs that tests start are not counted: many of them are killed.
    coverage: { include: ['src/**/*.ts'], reporter: ['text-summary'] },
    sequence: { sequencer: LongestFirst },
    // For what hangs. What a test waits for has limits of its own, and no machine is too slow for them.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // Each file of test/e2e runs a Gemini CLI of its own, about 300 MB and a core while it starts. Many tests wait: for a
    // clock, a database, another program; so three keep two cores busy.
    maxWorkers: 3,
  },
});

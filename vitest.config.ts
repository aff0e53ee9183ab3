import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/quiet.ts'],
    // For what hangs. What a test waits for has limits of its own, and no machine is too slow for them.
    testTimeout: 900_000,
    hookTimeout: 300_000,
    // Each file of test/e2e runs a Gemini CLI of its own, about 300 MB and a core while it starts.
    maxWorkers: 2,
  },
});

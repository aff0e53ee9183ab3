import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Each file of test/e2e runs a Gemini CLI of its own, about 300 MB and a core while it starts.
    maxWorkers: 2,
  },
});

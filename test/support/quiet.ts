import { afterAll, expect } from 'vitest';

/** Passing tests print nothing but their names: what code or Node itself prints in a test file fails that file. */
const printed: unknown[][] = [];

process.on('warning', (warning) => printed.push([String(warning)]));
for (const name of ['debug', 'info', 'log', 'warn', 'error'] as const) {
  const print = console[name].bind(console);
  console[name] = (...words: unknown[]) => {
    printed.push(words);
    print(...words);
  };
}

afterAll(() => expect(printed).toEqual([]));

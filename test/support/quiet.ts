import { afterAll, expect } from 'vitest';

/** Passing tests print nothing but their names: what code or Node itself prints in a test file fails that file. */
const printed: unknown[][] = [];

const onWarning = (warning: Error): void => void printed.push([String(warning)]);
process.on('warning', onWarning);
const before = { ...console };
for (const name of ['debug', 'info', 'log', 'warn', 'error'] as const) {
  const print = console[name].bind(console);
  console[name] = (...words: unknown[]) => {
    printed.push(words);
    print(...words);
  };
}

afterAll(() => {
  process.off('warning', onWarning);
  Object.assign(console, before);
  expect(printed).toEqual([]);
});

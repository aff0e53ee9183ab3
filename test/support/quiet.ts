import { afterAll, expect } from 'vitest';

/** Passing tests print nothing but their names: what code or Node itself prints in a test file fails that file. */
const printed: unknown[][] = [];

process.on('warning', (warning) => printed.push([String(warning)]));
/** What ACP's SDK says of an answer whose question is gone: where answers race, some are. */
const racing = 'Got response to unknown request';

for (const name of ['debug', 'info', 'log', 'warn', 'error'] as const) {
  const print = console[name].bind(console);
  console[name] = (...words: unknown[]) => {
    if (words[0] === racing) return;
    printed.push(words);
    print(...words);
  };
}

afterAll(() => expect(printed).toEqual([]));

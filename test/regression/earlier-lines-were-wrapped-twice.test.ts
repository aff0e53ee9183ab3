import { expect, test } from 'vitest';
import { wrap } from '../../src/cli/view/text/wrap.js';

/** `watch` wrapped a reply, indented it and wrapped it again: its last words were on lines of their own. */
test('a line that fits is not broken, although its rest would have less room', () => {
  const words = 'one two three four five six';
  const once = wrap(words, 18).map((line) => `  ${line}`);
  expect(once).toEqual(['  one two three four', '  five six']);
  expect(once.flatMap((line) => wrap(line, 20, '  '))).toEqual(once);
});

import { expect, test } from 'vitest';
import { splitWords } from '../../src/util/text/split-words.js';

test.each([
  ['goose acp --with-builtin developer', ['goose', 'acp', '--with-builtin', 'developer']],
  [`  "/opt/my agent/run"   --name='it''s' `, ['/opt/my agent/run', '--name=its']],
  [String.raw`a\ b "say \"hi\" for \$5" 'C:\dir'`, ['a b', 'say "hi" for $5', String.raw`C:\dir`]],
  [`node -e "" ''`, ['node', '-e', '', '']],
  ['echo $(rm -rf /) ; `id` | x > y', ['echo', '$(rm', '-rf', '/)', ';', '`id`', '|', 'x', '>', 'y']],
  ['', []],
])('the words of %s', (line, words) => {
  expect(splitWords(line)).toEqual(words);
});

test.each([`goose "acp`, `goose 'acp`, 'goose acp\\', `x"y`])('an open quote is a mistake: %s', (line) => {
  expect(() => splitWords(line)).toThrow('a quote is not closed');
});

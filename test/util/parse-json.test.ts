import { fc } from '../support/properties.js';
import { expect, test } from 'vitest';
import { parseJson } from '../../src/util/parse-json.js';

test('reads what JSON.parse reads when it is shallow enough', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = JSON.stringify(value);
      expect(parseJson(text, 64)).toEqual(JSON.parse(text));
    }),
  );
});

test('brackets in strings are not nesting', () => {
  expect(parseJson(JSON.stringify({ a: '[[[["{{{{' }), 1)).toEqual({ a: '[[[["{{{{' });
});

test.each(['[', '{"a":', '[[[[', '"'])('broken JSON %j is a SyntaxError', (text) => {
  expect(() => parseJson(text, 64)).toThrow(SyntaxError);
});

test('one level too many is refused before anything is parsed', () => {
  const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  expect(() => parseJson(nested(65), 64)).toThrow('nested deeper than 64 levels');
  expect(parseJson(nested(64), 64)).toBeDefined();
});

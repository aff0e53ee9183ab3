import { expect, test } from 'vitest';
import { mentionAt, withFile } from '../../src/web/mention/mention-at.js';

test.each([
  ['@', ''],
  ['look at @src/po', 'src/po'],
  ['@a\\ file', 'a file'],
  ['two\n@li', 'li'],
  ['mail a@b', undefined],
  ['@done now', undefined],
  ['no file', undefined],
])('%j names %j', (text, query) => {
  expect(mentionAt(text, text.length)?.query).toBe(query);
});

test('the file takes the place of what was typed, with its spaces escaped', () => {
  const text = 'read @a please';
  const mention = mentionAt(text, 'read @a'.length);
  expect(mention && withFile(text, mention, 'docs/a file.md')).toEqual({
    text: 'read @docs/a\\ file.md please',
    caret: 'read @docs/a\\ file.md '.length,
  });
});

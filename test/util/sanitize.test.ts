import { fc } from '../support/properties.js';
import { expect, test } from 'vitest';
import { sanitize, sanitizeLine } from '../../src/util/sanitize.js';

test.each([
  ['plain text stays', 'Grüße, 日本 👩‍💻', 'Grüße, 日本 👩‍💻'],
  ['newline and tab stay', 'a\n\tb', 'a\n\tb'],
  ['colour', '\u001b[31mred\u001b[0m', 'red'],
  ['clear screen', 'a\u001b[2J\u001b[Hb', 'ab'],
  ['title with its text', '\u001b]0;pwned\u0007ok', 'ok'],
  ['clipboard write', '\u001b]52;c;ZXZpbA==\u001b\\ok', 'ok'],
  ['hyperlink', '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007', 'click'],
  ['C1 introducer', '\u009b31mred', 'red'],
  ['bidi override (Trojan Source)', 'admin\u202e\u2066 // \u2069', 'admin // '],
  ['zero width and tags', 'a\u200bb\u{e0041}c\ufeff', 'abc'],
  ['carriage return cannot overwrite a line', 'safe\rrm -rf /', 'safe\nrm -rf /'],
  ['NUL, bell, backspace', 'a\u0000b\u0007c\u0008d', 'abcd'],
  ['an unfinished sequence', 'a\u001b', 'a'],
])('%s', (_name, given, expected) => {
  expect(sanitize(given)).toBe(expected);
});

test('nothing that a terminal would obey survives, and cleaning twice changes nothing', () => {
  const nasty = fc.string({
    unit: fc.oneof(
      fc.constantFrom('\u001b', '[', ']', ';', 'm', '\u0007', '\u009b', '\u202e', '\r', '\\', 'P'),
      fc.string({ maxLength: 2 }),
    ),
  });
  fc.assert(
    fc.property(nasty, (text) => {
      const clean = sanitize(text);
      // oxlint-disable-next-line no-control-regex -- that is the point
      expect(clean).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
      expect(sanitize(clean)).toBe(clean);
    }),
  );
});

test('a line is one line and no longer than asked', () => {
  expect(sanitizeLine(' my\n phone ')).toBe('my phone');
  expect(sanitizeLine('x'.repeat(100), 10)).toBe(`${'x'.repeat(9)}…`);
});

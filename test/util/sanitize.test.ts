import { fc } from '../support/properties.js';
import { expect, test } from 'vitest';
import { sanitize, sanitizeLine } from '../../src/util/text/sanitize.js';

test.each([
  ['plain text stays', 'Grüße, 日本 👩‍💻', 'Grüße, 日本 👩‍💻'],
  ['emoji of several signs stay', '👩🏽‍⚕️ 🏳️‍🌈 ❤️‍🔥 1️⃣ 👨‍👩‍👧', '👩🏽‍⚕️ 🏳️‍🌈 ❤️‍🔥 1️⃣ 👨‍👩‍👧'],
  ['joiners between letters that need them stay', 'می\u200cخواهم क्\u200dष', 'می\u200cخواهم क्\u200dष'],
  ['joiners elsewhere', 'pass\u200dword \u200cx 👩\u200d', 'password x 👩'],
  ['a row of joiners', 'ا\u200c\u200d\u200cب', 'اب'],
  ['variation selectors', 'a\ufe0f1\ufe0f😀\ufe0f\ufe0e葛\u{e0100}', 'a1😀葛'],
  ['fillers', 'a\u3164b\u115f\u1160\uffa0c\u034fd\u17b4e', 'abcde'],
  ['the tags of a flag', '🏴\u{e0067}\u{e0062}\u{e007f}', '🏴'],
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

test('of all characters none that has no look of its own gets through between letters', () => {
  const letters = Array.from({ length: 0x110000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);
  const through = letters
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /./su.test(sanitize(character)));
  const unseen = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\p{Zl}\p{Zp}]/u;
  expect(through.filter((character) => unseen.test(character))).toEqual(['\t', '\n', '\r']);
  // Everything else is left as it is.
  expect(letters.length - through.length).toBeLessThan(4400);
  expect(through.filter((character) => character !== '\r' && sanitize(`x${character}y`) !== `x${character}y`)).toEqual(
    [],
  );
});

test('whatever stands together, what is left has an effect that is seen, and cleaning twice changes nothing', () => {
  const unit = fc.oneof(
    fc.constantFrom(
      '\u200c',
      '\u200d',
      '\ufe0f',
      '\ufe0e',
      '\u034f',
      '\u3164',
      '\u20e3',
      '\u202e',
      '\u{e0041}',
      '\u001b',
    ),
    fc.constantFrom('👩', '🏽', '⚕', '❤', '1', 'a', 'ی', 'क', '्'),
  );
  fc.assert(
    fc.property(
      fc.array(unit).map((units) => units.join('')),
      (text) => {
        const clean = sanitize(text);
        expect(sanitize(clean)).toBe(clean);
        const left = String.raw`(?:\u200c|\u200d|\ufe0f)`;
        expect(clean).not.toMatch(new RegExp(`${left}{3}|a${left}|(?:\\u200c|\\u200d)$|^${left}`, 'u'));
        expect(clean).not.toMatch(/[\ufe0e\u034f\u3164\u202e\u{e0041}]/u);
      },
    ),
    { numRuns: 1000 },
  );
});

test('a line is one line and no longer than asked', () => {
  expect(sanitizeLine(' my\n phone ')).toBe('my phone');
  expect(sanitizeLine('x'.repeat(100), 10)).toBe(`${'x'.repeat(9)}…`);
});

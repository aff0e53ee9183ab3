import { expect, test } from 'vitest';
import { reveal, revealLine } from '../../src/util/text/reveal.js';
import { sanitize } from '../../src/util/text/sanitize.js';

test.each([
  ['plain text with ümlauts, 中文 and 🎉', 'plain text with ümlauts, 中文 and 🎉'],
  ['ls\u001b[1A\u001b[2Krm', 'ls\\u{1b}[1A\\u{1b}[2Krm'],
  ['a\rb\u0000', 'a\\u{d}b\\u{0}'],
  ['user\u202etxt.exe', 'user\\u{202e}txt.exe'],
  ['rm\u00a0-rf\u3000x\u200b\u2800', 'rm\\u{a0}-rf\\u{3000}x\\u{200b}\\u{2800}'],
  ['tag\u{e0041} vs\u{e0100} lone\ud800', 'tag\\u{e0041} vs\\u{e0100} lone\\u{d800}'],
  ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
])('%j is written out as %j', (text, expected) => {
  expect(reveal(text)).toBe(expected);
  expect(sanitize(reveal(text))).toBe(reveal(text));
});

test('on one line breaks are written out too', () => {
  expect(revealLine('a\nb\tc')).toBe('a\\nb\\tc');
});

test('of all characters, those that are removed elsewhere are written out here', () => {
  const characters = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
  const removed = characters.filter((character) => sanitize(character) === '');
  expect(removed.length).toBeGreaterThan(4000);
  expect(removed.filter((character) => reveal(character) === character)).toEqual([]);
});

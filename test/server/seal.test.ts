import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sealIn } from '../../src/apps/serve/seal-key.js';
import { sealWith } from '../../src/server/a2a/push/seal.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const seal = sealWith(randomBytes(32));

test('what is sealed is opened by the same key, at its place', () => {
  const sealed = seal.close('„geheim“', 'a');
  expect(sealed).not.toContain('geheim');
  expect(seal.open(sealed, 'a')).toBe('„geheim“');
  expect(seal.close('„geheim“', 'a')).not.toBe(sealed);
});

test('another key, another place, a changed or cut text open nothing', () => {
  const sealed = seal.close('secret', 'a');
  const changed = Buffer.from(sealed, 'base64url').map((byte, index) => (index === 30 ? byte ^ 1 : byte));
  expect(sealWith(randomBytes(32)).open(sealed, 'a')).toBeUndefined();
  expect(seal.open(sealed, 'b')).toBeUndefined();
  expect(seal.open(Buffer.from(changed).toString('base64url'), 'a')).toBeUndefined();
  for (const length of [0, 10, 20, sealed.length - 1]) expect(seal.open(sealed.slice(0, length), 'a')).toBeUndefined();
});

test('servers with the same state folder have the same key', () => {
  const folder = temporaryFolder();
  const sealed = sealIn(folder, undefined).close('secret', 'a');
  expect(sealIn(folder, undefined).open(sealed, 'a')).toBe('secret');
});

test.each(['', 'short', randomBytes(31).toString('base64')])('a file with %j is no key', (text) => {
  const file = join(temporaryFolder(), 'key');
  writeFileSync(file, text);
  expect(() => sealIn('', file)).toThrow(
    'does not contain a 32-byte key in base64; create one with: openssl rand -base64 32',
  );
});

test('the key itself instead of its file is refused, and not repeated in a log', () => {
  const key = randomBytes(32).toString('base64');
  expect(() => sealIn('', key)).toThrow(/^--seal-key takes a file, and there is no such file; create one with: [^=]*$/);
});

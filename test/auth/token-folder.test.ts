import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let stateDir: string;
let folder: TokenFolder;
beforeEach(() => {
  stateDir = temporaryFolder();
  folder = new TokenFolder(stateDir);
});
afterEach(() => {
  vi.useRealTimers();
});

const bring = (token: string) => ({ token, header: () => undefined });
const files = (): string[] => readdirSync(join(stateDir, 'tokens'));
const createdAt = '2026-01-01T00:00:00.000Z';

test('a token is recognised with its scopes, also by another process that knows only the folder', async () => {
  const token = await folder.create({ name: 'ci', scopes: ['prompt', 'approve'] });
  const principal = { id: 'token:ci', scopes: ['prompt', 'approve'], via: 'token' };
  expect(await new TokenFolder(stateDir).authenticate(bring(token))).toEqual(principal);
});

test('what is kept is a hash, readable by its owner alone', async () => {
  const token = await folder.create({ name: 'ci', scopes: ['view'] });
  const file = join(stateDir, 'tokens', 'ci.json');
  expect(files()).toEqual(['ci.json']);
  expect(readFileSync(file, 'utf8')).not.toContain(token.slice('cos_ci_'.length));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(stateDir, 'tokens')).mode & 0o777).toBe(0o700);
});

test('tokens have 256 random bits', async () => {
  const names = Array.from({ length: 50 }, (_, index) => `t${index}`);
  const made = await Promise.all(names.map((name) => folder.create({ name, scopes: ['view'] })));
  const secrets = made.map((token) => token.replace(/^cos_t\d+_/, ''));
  expect(new Set(secrets).size).toBe(50);
  for (const secret of secrets) expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
});

describe('refused', () => {
  test.each<[string, (token: string) => string]>([
    ['another secret', (token) => token.slice(0, -4) + (token.endsWith('AAAA') ? 'BBBB' : 'AAAA')],
    ['the name of another token', (token) => token.replace('cos_ci_', 'cos_other_')],
    ['a name that is not there', (token) => token.replace('cos_ci_', 'cos_nobody_')],
  ])('%s', async (_name, change) => {
    const token = await folder.create({ name: 'ci', scopes: ['view'] });
    await folder.create({ name: 'other', scopes: ['admin'] });
    await expect(folder.authenticate(bring(change(token)))).rejects.toMatchObject({ code: 'bad-token' });
  });

  test('a revoked token, at once, and also when another of the same name is made', async () => {
    const token = await folder.create({ name: 'ci', scopes: ['view'] });
    expect(await folder.authenticate(bring(token))).toBeDefined();
    expect(await new TokenFolder(stateDir).revoke('ci')).toBe(true);
    await expect(folder.authenticate(bring(token))).rejects.toMatchObject({ code: 'bad-token' });
    await folder.create({ name: 'ci', scopes: ['admin'] });
    await expect(folder.authenticate(bring(token))).rejects.toMatchObject({ code: 'bad-token' });
    expect(await folder.revoke('gone')).toBe(false);
  });

  test('an expired token', async () => {
    const token = await folder.create({ name: 'ci', scopes: ['view'], expiresAt: new Date(Date.now() - 1) });
    await expect(folder.authenticate(bring(token))).rejects.toThrow(/"ci" expired at/);
  });

  test.each([
    ['cut off', '{"hash": "ab'],
    ['empty', ''],
    ['without a hash', JSON.stringify({ scopes: ['admin'], createdAt })],
    ['with a scope that does not exist', JSON.stringify({ hash: 'a'.repeat(64), scopes: ['root'], createdAt })],
  ])('a record that is %s; it is listed as damaged and can be revoked', async (_name, text) => {
    const token = await folder.create({ name: 'ci', scopes: ['view'] });
    writeFileSync(join(stateDir, 'tokens', 'ci.json'), text);
    await expect(folder.authenticate(bring(token))).rejects.toMatchObject({ code: 'bad-token' });
    expect(await folder.list()).toEqual({ tokens: [], damaged: ['ci'] });
    expect(await folder.revoke('ci')).toBe(true);
    expect(await folder.list()).toEqual({ tokens: [], damaged: [] });
  });

  test.each(['', '../ci', 'Ci', 'a_b', 'a/b', '.hidden', 'x'.repeat(41)])('the name "%s"', async (name) => {
    await expect(folder.create({ name, scopes: ['view'] })).rejects.toThrow(/a token name may have/);
  });
});

test.each(['secret', 'eyJ.a.b', 'cos_../../x_'.padEnd(60, 'a'), 'cos_ci_short', ''])(
  'what is no token of ours ("%s") is left to others',
  async (token) => {
    expect(await folder.authenticate(bring(token))).toBeUndefined();
  },
);

test('many processes create and revoke at once: each name has one winner, and nothing is lost', async () => {
  const folders = Array.from({ length: 8 }, () => new TokenFolder(stateDir));
  await folder.create({ name: 'old', scopes: ['view'] });
  const made = await Promise.allSettled(
    folders.flatMap((each, index) => [
      each.create({ name: 'same', scopes: ['view'] }),
      each.create({ name: `own-${index}`, scopes: ['prompt'] }),
      each.revoke('old'),
    ]),
  );
  expect(made.filter(({ status }) => status === 'rejected')).toHaveLength(7);
  expect(made.filter((result) => result.status === 'fulfilled' && result.value === true)).toHaveLength(1);
  const { tokens, damaged } = await folder.list();
  expect(tokens.map(({ name }) => name)).toEqual([...folders.map((_, index) => `own-${index}`), 'same']);
  expect([damaged, files()]).toEqual([[], tokens.map(({ name }) => `${name}.json`)]);
});

test.each([
  { case: 'later', createdMsBefore: 5000, usedAt: '2026-01-01T00:00:05.000Z' },
  { case: 'in the millisecond of its creation', createdMsBefore: 0, usedAt: '2026-01-01T00:00:00.001Z' },
])('the last use is remembered: $case', async ({ createdMsBefore, usedAt }) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(createdAt) });
  const token = await folder.create({ name: 'ci', scopes: ['view'] });
  expect((await folder.list()).tokens[0]?.lastUsedAt).toBeUndefined();
  vi.setSystemTime(Date.parse(createdAt) + createdMsBefore);
  await folder.authenticate(bring(token));
  expect((await folder.list()).tokens[0]?.lastUsedAt).toBe(usedAt);
});

test('without a folder there are no tokens, and other files are none', async () => {
  expect(await folder.list()).toEqual({ tokens: [], damaged: [] });
  mkdirSync(join(stateDir, 'tokens'));
  writeFileSync(join(stateDir, 'tokens', 'README.txt'), 'not a token');
  expect(await folder.list()).toEqual({ tokens: [], damaged: [] });
});

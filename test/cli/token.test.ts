import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { UsageError } from '../../src/util/usage-error.js';
import { outputOf } from '../support/command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let stateDir: string;
beforeEach(() => {
  stateDir = temporaryFolder();
});
const run = (line: string): Promise<string> => outputOf('token', line === '' ? [] : line.split(' '), { stateDir });

test('create shows the token once, list never, revoke ends it', async () => {
  const created = await run('create --name ci --scope prompt,approve --expires 30d');
  const token = created.split('\n')[0] ?? '';
  expect(created).toContain('Scopes: prompt, approve.');
  expect(await new TokenFolder(stateDir).authenticate({ token, header: () => undefined })).toMatchObject({
    scopes: ['prompt', 'approve'],
  });
  const listed = await run('list');
  expect(listed).toMatch(/^NAME +KIND +SCOPES +CREATED +EXPIRES +LAST USED\nci +token +prompt,approve +20/);
  expect(listed + (await run('list --json'))).not.toContain(token.slice('cos_ci_'.length));
  expect(await run('revoke ci')).toBe('The token "ci" is revoked.\n');
  expect(await run('list')).toContain('No tokens.');
});

test('--json is for programs', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const made: unknown = JSON.parse(await run('create --name ci --scope view --expires 2h --json'));
  expect(made).toMatchObject({
    name: 'ci',
    scopes: ['view'],
    token: expect.stringMatching(/^cos_ci_/) as string,
    expiresAt: new Date(Date.now() + 7_200_000).toISOString(),
  });
  expect(JSON.parse(await run('list --json'))).toMatchObject({ tokens: [{ name: 'ci' }], damaged: [] });
  expect(JSON.parse(await run('revoke ci --json'))).toEqual({ revoked: 'ci' });
});

test.each(['', '--help', 'create -h'])('"%s" shows the help', async (line) => {
  expect(await run(line)).toContain('cosession token create --name');
});

test.each([
  ['create --scope view', /needs a --name/],
  ['create --name ci', /needs a --scope: view, prompt, approve, metrics, admin/],
  ['create --name ci --scope root', /"root" is not a scope/],
  ['create --name ci --scope view --expires soon', /30m, 12h, 30d or a date, not "soon"/],
  ['create --name ci --scope view --expires 2001-01-01', /must be in the future/],
  ['create --name ci --scope view --colour red', /cosession token has no flag --colour; see cosession token --help/],
  ['create ci', /not understood/],
  ['revoke', /not understood/],
  ['forget ci', /takes create\|list\|revoke \[name\], got "forget"/],
  ['creat --name ci', /got "creat". Did you mean create\?/],
  ['create --nmae ci', /no flag --nmae. Did you mean --name\?/],
  ['revoke ci now', /got "now"/],
])('"%s" is explained', async (line, why) => {
  const refused = run(line);
  await expect(refused).rejects.toThrow(why);
  await expect(refused).rejects.toBeInstanceOf(UsageError);
});

test('a name is used once, and only what is there can be revoked', async () => {
  await run('create --name ci --scope view');
  await expect(run('create --name ci --scope admin')).rejects.toThrow(/a token named "ci" already/);
  await expect(run('revoke other')).rejects.toThrow(/there is no token "other"/);
});

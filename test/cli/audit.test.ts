import { expect, test } from 'vitest';
import { AuditFolder } from '../../src/audit/audit-folder.js';
import { UsageError } from '../../src/util/usage-error.js';
import { outputOf, runHere } from '../support/command.js';
import { serveTasks } from '../support/served-tasks.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('tokens that are made and revoked are recorded, in words and as JSON lines', async () => {
  const stateDir = temporaryFolder();
  const run = (name: 'token' | 'audit', line: string) => outputOf(name, line.split(' '), { stateDir });
  expect(await run('audit', '--since 2d')).toMatch(/^Nothing since 20/);
  await run('token', 'create --name ci --scope prompt,approve --expires 2h');
  await run('token', 'revoke ci');
  const shown = await run('audit', '--since 5m');
  expect(shown).toMatch(/made the token ci for prompt, approve\n.*revoked the token ci\n$/);
  const [first] = (await run('audit', '--action token-create --json')).split('\n');
  expect(JSON.parse(first ?? '')).toMatchObject({
    action: 'token-create',
    token: 'ci',
    scopes: ['prompt', 'approve'],
    expiresAt: expect.any(String) as string,
    by: { surface: 'cli' },
  });
});

test('the audit log of a server is read over HTTP', async () => {
  const stateDir = temporaryFolder();
  const served = await serveTasks({ audit: new AuditFolder(stateDir) });
  try {
    await served.post('tasks', { contextId: 'one' });
    await served.remove('tasks/one');
    expect(await outputOf('audit', [served.server.url, '--since', '1h'])).toMatch(
      /owner deleted the task · task one\n$/,
    );
    expect(await outputOf('audit', [`localhost:${served.server.port}`, '--action', 'prompt', '--json'])).toBe('');
  } finally {
    await served.stop();
  }
  await expect(runHere('audit', [served.server.url]).code).rejects.toThrow('does not answer');
});

test('a wrong time is refused', async () => {
  await expect(runHere('audit', ['--since', 'noon']).code).rejects.toThrow(UsageError);
});

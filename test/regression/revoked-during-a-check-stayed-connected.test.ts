import { expect, onTestFinished, test } from 'vitest';
import type { Authenticator } from '../../src/auth/authenticator.js';
import { CredentialCheck } from '../../src/server/guards/credential-check.js';
import { Rechecks } from '../../src/server/guards/rechecks.js';

/** Two connections. The check of the second can be held in its middle, after the first was found valid. */
function open() {
  const valid = new Set(['first', 'second']);
  let release = (): void => {};
  let hold: Promise<void> | undefined;
  const tokens: Authenticator = {
    scheme: { type: 'bearer', description: 'tokens of this test' },
    async authenticate({ token = '' }) {
      if (token === 'second') await hold;
      return valid.has(token) ? { id: token, via: 'token', scopes: ['view'] } : undefined;
    },
  };
  const credentialCheck = new CredentialCheck({ token: 'owner', requireToken: true, authenticators: [tokens] });
  const rechecks = new Rechecks(credentialCheck, 3600_000);
  onTestFinished(() => rechecks.close());
  const ended: string[] = [];
  const keep = (token: string, end: () => void): void => {
    const visitor = { token, address: '127.0.0.1', isSameUser: false, isForwarded: false, header: () => undefined };
    rechecks.hold({ id: token, via: 'token', scopes: ['view'] }, visitor, end);
  };
  keep('first', () => void ended.push('first'));
  keep('second', () => void ended.push('second'));
  return {
    valid,
    rechecks,
    ended,
    keep,
    holdSecond: () => (hold = new Promise((resolve) => (release = resolve))),
    release: () => release(),
  };
}

test('a token that is revoked while a check runs is found at once, not with the next one', async () => {
  const { valid, rechecks, ended, holdSecond, release } = open();
  void holdSecond();
  const running = rechecks.check();
  await Promise.resolve();
  valid.delete('first');
  void rechecks.check();
  release();
  await running;
  expect(ended).toEqual(['first']);
});

test('a connection that fails to end does not stop the checks that follow', async () => {
  const { valid, rechecks, ended, keep } = open();
  keep('broken', () => {
    throw new Error('already gone');
  });
  await expect(rechecks.check()).rejects.toThrow('already gone');
  valid.delete('second');
  await rechecks.check();
  expect(ended).toEqual(['second']);
});

import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AppError } from '../../src/domain/errors.js';
import { memoryStore } from '../../src/stores/memory.js';
import { openStore } from '../../src/stores/open.js';
import { Quota, type QuotaOptions } from '../../src/tasks/quota.js';
import { openHub, prompt } from '../support/hub.js';
import { serveRegistry } from '../support/served-registry.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ada = { surface: 'a2a', principal: 'token:ada' } as const;
const bob = { surface: 'a2a', principal: 'token:bob' } as const;

async function openQuota(options: Partial<QuotaOptions> = {}): Promise<Quota> {
  const quota = new Quota({
    store: memoryStore(),
    turns: undefined,
    tokens: undefined,
    onError(error) {
      throw error;
    },
    ...options,
  });
  await quota.start();
  return quota;
}

test('turns are counted by principal, once each, and refused when they are used up', async () => {
  const quota = await openQuota({ turns: 2, now: () => new Date('2026-11-17T22:30:00.000Z') });
  const { session, engine } = openHub({ mayPrompt: (origin) => quota.check(origin) });
  quota.watch(session);
  session.submit(prompt('one', ada));
  // This one waits, and is published again when its turn starts.
  session.submit(prompt('two', ada));
  engine.end();
  expect(quota.used('token:ada')).toEqual({ turns: 2, tokens: 0 });
  const refused = (): unknown => session.submit(prompt('three', ada));
  expect(refused).toThrow('you have used 2 of 2 turns today; the quota resets at 2026-11-18T00:00:00.000Z');
  expect(refused).toThrow(expect.objectContaining({ code: 'quota-exceeded' }) as AppError);
  session.submit(prompt('mine', bob));
  // Slash commands are free.
  session.submit({ kind: 'command', text: '/stats', origin: ada });
  expect(quota.used('token:bob')).toEqual({ turns: 1, tokens: 0 });
  await quota.close();
});

test('tokens count for whoever sent the prompt of the turn, and the next day begins at nothing', async () => {
  let now = new Date('2026-11-17T23:59:00.000Z');
  const quota = await openQuota({ tokens: 100, now: () => now });
  const { session, engine } = openHub({ mayPrompt: (origin) => quota.check(origin) });
  quota.watch(session);
  session.submit(prompt('one', ada));
  engine.report({ type: 'usage', usage: { totalTokens: 60 } }, { type: 'usage', usage: { totalTokens: 60 } });
  engine.end();
  expect(() => session.submit(prompt('two', ada))).toThrow('you have used 120 of 100 tokens today');
  now = new Date('2026-11-18T00:00:00.000Z');
  session.submit(prompt('two', ada));
  expect(quota.used('token:ada')).toEqual({ turns: 1, tokens: 0 });
  await quota.close();
});

test('counts survive a restart and hold for all servers of a store', async () => {
  const url = `sqlite:${join(temporaryFolder(), 'tasks.db')}`;
  const open = async (turns: number) => {
    const store = await openStore(url, { stateDir: '/nowhere', env: {} });
    const quota = await openQuota({ store, turns });
    return { quota, stop: async () => quota.close().then(() => store.close()) };
  };
  const first = await open(3);
  const { session } = openHub();
  first.quota.watch(session);
  session.submit(prompt('one', ada));
  session.submit(prompt('two', ada));
  await first.stop();
  const second = await open(3);
  expect(second.quota.used('token:ada')).toEqual({ turns: 2, tokens: 0 });
  const other = openHub({ mayPrompt: (origin) => second.quota.check(origin) });
  second.quota.watch(other.session);
  other.session.submit(prompt('three', ada));
  expect(() => other.session.submit(prompt('four', ada))).toThrow('3 of 3 turns');
  await second.stop();
});

test('a refused prompt is 429 with the time to wait, and has no effect', async () => {
  const quota = await openQuota({ turns: 0 });
  const mayPrompt = quota.check.bind(quota);
  const served = await serveRegistry({ workspace: temporaryFolder(), store: memoryStore(), mayPrompt });
  try {
    const response = await fetch(`${served.server.url}message/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ contextId: 'one', userMessage: { kind: 'text-content', text: 'hi' } }),
    });
    expect([response.status, await response.json()]).toMatchObject([429, { error: { code: 'quota-exceeded' } }]);
    expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
    expect(served.engine('one').started).toEqual([]);
  } finally {
    await served.stop();
    await quota.close();
  }
});

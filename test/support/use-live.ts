import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { undocumented } from './known-events.js';
import { type Live, type LiveOptions, readyPrompt, startLive } from './live.js';
import type { WireClient } from './wire-client.js';

export type LiveFixture = { readonly live: Live; readonly connect: (query?: string) => Promise<WireClient> };

/**
 * One live session for all tests of a file. Clients are closed after each test, and every event they were sent must
 * have had its documented form.
 */
export function useLive(options: LiveOptions): LiveFixture {
  const clients: WireClient[] = [];
  let live: Live | undefined;
  const started = (): Live => {
    if (!live) throw new Error('the session has not started yet');
    return live;
  };
  beforeAll(async () => {
    live = await startLive(options);
    await live.screen.waitFor(readyPrompt);
    await live.entry();
  });
  afterEach(() => {
    const gone = clients.splice(0);
    for (const client of gone) client.close();
    expect(gone.flatMap((client) => undocumented(client.seen))).toEqual([]);
  });
  afterAll(() => live?.stop());
  return {
    get live() {
      return started();
    },
    connect: async (query = '') => {
      const client = await started().connect(query);
      clients.push(client);
      return client;
    },
  };
}

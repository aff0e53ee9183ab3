import { expect, test } from 'vitest';
import { memoryStore } from '../../src/stores/memory.js';
import { storeContract } from './contract.js';

storeContract('memory', async () => ({ url: 'memory:', env: {} }), { isDurable: false });

test('memory forgets the oldest events beyond its limit', async () => {
  const store = memoryStore({ keepEvents: 100 });
  for (let seq = 1; seq <= 1000; seq++) {
    await store.append({ type: 'text', text: '', seq, at: '', sessionId: 's' });
  }
  const kept = await store.read('s', 0, 10_000);
  expect(kept).toHaveLength(100);
  expect(kept.at(-1)?.seq).toBe(1000);
  expect(await store.read('s', 995, 2)).toMatchObject([{ seq: 996 }, { seq: 997 }]);
});

import { expect, test } from 'vitest';
import { memoryStore } from '../../src/stores/memory.js';
import { Claims } from '../../src/tasks/claims.js';
import { Recovery } from '../../src/tasks/recovery.js';
import { until } from '../support/until.js';

/** While a server recovered the tasks of a dead one, it did not renew its own lease: after many tasks it was taken for dead, too. */
test('a server that recovers many tasks renews its lease meanwhile', async () => {
  const store = { ...memoryStore(), servers: async () => [{ id: 'dead', leftMs: -1 }, ...live] };
  const live = [{ id: store.server, leftMs: 1000 }];
  let renewals = 0;
  const claims = new Claims({
    store: { ...store, saveServer: async () => void renewals++, deleteServer: async () => {} },
    leaseMs: 600_000,
    onError: (error) => {
      throw error;
    },
  });
  let finish = (): void => {};
  const many = new Promise<number>((resolve) => (finish = () => resolve(1)));
  let scans = 0;
  const recovery = new Recovery({ scan: () => (scans++, many), isOver: () => false, onError: () => {} });
  await claims.start({ onGone: () => recovery.start(), onLapse: async () => {} });
  expect([scans, renewals]).toEqual([1, 1]);
  await claims.beat();
  expect([scans, renewals]).toEqual([1, 2]);
  // Whatever was found gone meanwhile needs one more scan.
  finish();
  await until(() => scans === 2);
  await claims.close();
});

import { expect, test } from 'vitest';
import { Devices } from '../../src/auth/devices.js';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { FairGate, type Leave } from '../../src/util/fair-gate.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Waiting turns take turns by principal, so whoever paired many browsers with themselves was served more often. */
test('the browsers of one guest wait in one line', async () => {
  const devices = new Devices(new TokenFolder(temporaryFolder()), 'here');
  const grant = { scopes: ['prompt'] as const, expiresAt: new Date(Date.now() + 60_000), sharedBy: 'token:ada' };
  const group = 'devices of token:ada';
  const principals: string[] = [];
  for (const label of ['phone', 'tablet', 'laptop']) {
    const { halves } = await devices.add(label, { ...grant, account: 'token:ada', group });
    principals.push((await devices.authenticate(halves)).id);
  }
  const gate = new FairGate({ width: 1, maxWaiting: 10, groupOf: (principal) => devices.groupOf(principal) });
  const leave = await gate.enter('token:ada');
  const order: string[] = [];
  const waiting = [...principals, 'token:bob', 'token:ada'].map(async (key): Promise<Leave> => {
    const left = await gate.enter(key);
    order.push(devices.groupOf(key));
    left();
    return left;
  });
  leave();
  await Promise.all(waiting);
  expect(order).toEqual([group, 'token:bob', 'token:ada', group, group]);
});

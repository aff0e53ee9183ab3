import { setTimeout as sleep } from 'node:timers/promises';
import type { Recovery } from '../tasks/recovery.js';
import type { Registry } from '../tasks/registry.js';
import type { Placement } from './placement.js';

export type ShareOptions = {
  readonly server: string;
  readonly leaseMs: number;
  /** Recovers what any server may have. */
  readonly leftovers: Pick<Recovery, 'start'>;
};

/**
 * Recovers the tasks whose heir this server is, so that the servers do not race for all of them. What an heir leaves, because
 * it died too or saw other servers, is free for all after a lease. Resolves to how many this server has recovered now.
 */
export async function recoverShare(
  registry: Pick<Registry, 'recover'>,
  placement: Pick<Placement, 'heirs'>,
  { server, leaseMs, leftovers }: ShareOptions,
): Promise<number> {
  const heirOf = await placement.heirs();
  const count = await registry.recover((task) => heirOf(task) === server);
  void sleep(leaseMs, undefined, { ref: false }).then(() => leftovers.start());
  return count;
}

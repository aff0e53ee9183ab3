import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from '../tasks/registry.js';
import type { Placement } from './placement.js';

export type ShareOptions = {
  readonly server: string;
  readonly leaseMs: number;
  readonly onError: (error: unknown) => void;
};

/**
 * Recovers the tasks whose heir this server is, so that the servers do not race for all of them. What an heir leaves, because
 * it died too or saw other servers, is free for all after a lease. Resolves to how many this server has recovered now.
 */
export async function recoverShare(
  registry: Pick<Registry, 'recover' | 'isClosing'>,
  placement: Pick<Placement, 'heirs'>,
  { server, leaseMs, onError }: ShareOptions,
): Promise<number> {
  const heirOf = await placement.heirs();
  const count = await registry.recover((task) => heirOf(task) === server);
  void sleep(leaseMs, undefined, { ref: false })
    .then(() => (registry.isClosing ? 0 : registry.recover()))
    .catch(onError);
  return count;
}

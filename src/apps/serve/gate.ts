import type { Devices } from '../../auth/devices.js';
import type { ServeOptions } from '../../cli/argv/serve-options.js';
import type { Peers } from '../../domain/peers.js';
import { openPlaces } from '../../stores/open-places.js';
import { FairGate, type Gate } from '../../util/fair-gate.js';
import { LimitedGate } from '../../util/limited-gate.js';

export type OpenGate = {
  readonly gate: Gate;
  /** Other servers are told when a place is free. */
  readonly share: (peers: Pick<Peers, 'tell' | 'onTold'>) => void;
  readonly close: () => Promise<void>;
};

export type GateContext = {
  readonly server: string;
  readonly devices: Pick<Devices, 'know' | 'accountOf' | 'groupOf'>;
  readonly onError: (error: unknown) => void;
};

const topic = 'place-free';

/** Limits how many turns run at once: on this server, and for an owner on all servers of the store. */
export async function openGate(options: ServeOptions, { server, devices, onError }: GateContext): Promise<OpenGate> {
  const { maxRunning: width, maxQueued: maxWaiting, maxRunningPerOwner: limit } = options;
  const fair = new FairGate({ width, maxWaiting, groupOf: (principal) => devices.groupOf(principal) });
  if (!limit) return { gate: fair, share: () => {}, close: async () => {} };
  const places = await openPlaces(options.store, { server, limit });
  let peers: Pick<Peers, 'tell'> | undefined;
  const gate = new LimitedGate({
    gate: fair,
    maxWaiting,
    places,
    async ownerOf(principal) {
      await devices.know(principal);
      return devices.accountOf(principal);
    },
    onFree: (owner) => peers?.tell(topic, owner),
    onError,
  });
  return {
    gate,
    share(others) {
      peers = others;
      others.onTold(topic, (owner) => gate.look(String(owner)));
    },
    async close() {
      gate.close();
      await places.close?.();
    },
  };
}

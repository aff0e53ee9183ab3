import type { ClientRooms } from '../../domain/client.js';
import type { Peers } from '../../domain/peers.js';
import type { Relay } from '../../tasks/relay.js';

/** What a server shows of the cluster that it belongs to. */
export type ClusterView = {
  readonly relay: Relay;
  readonly peers: Peers;
  readonly rooms: ClientRooms;
  readonly status: () => Promise<object>;
  readonly figures: () => ClusterFigures;
};

export type ClusterFigures = {
  /** Tasks of other servers that are followed here. */
  readonly mirrors: number;
  /** Whether the bus is connected. */
  readonly isConnected: boolean;
  readonly counts: {
    readonly gaps: number;
    readonly lateNews: number;
    readonly foundGone: number;
    allTold(): Iterable<readonly [topic: string, count: number]>;
    allRouted(): Iterable<{ readonly op: string; readonly outcome: string; readonly count: number }>;
  };
};

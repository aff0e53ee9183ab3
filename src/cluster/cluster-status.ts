import * as z from 'zod';
import type { Store } from '../stores/store.js';
import { defined } from '../util/defined.js';
import type { Bus } from './bus/bus.js';
import { readTaskReply } from './message.js';

const peerFacts = z.object({
  version: z.string(),
  loaded: z.number(),
  running: z.number(),
  queued: z.number(),
  mirrors: z.number(),
  clients: z.number().default(0),
  /** The newest message version that it understands. Servers of the first version do not send it. */
  speaks: z.number().default(1),
  isDraining: z.boolean().default(false),
  pinnedRoots: z.array(z.object({ label: z.string(), folder: z.string() })).default([]),
});

export const readFacts = (value: unknown): PeerFacts => peerFacts.parse(value);

/** A server's report about itself. */
export type PeerFacts = z.infer<typeof peerFacts>;

export type ClusterStatus = {
  /** The server that was asked. */
  readonly server: string;
  readonly isConnected: boolean;
  readonly servers: readonly PeerStatus[];
};

/** `leftMs`: the rest of its lease. The facts are absent if it does not answer. */
export type PeerStatus = Partial<Omit<PeerFacts, 'speaks' | 'pinnedRoots'>> & {
  readonly id: string;
  readonly leftMs: number;
  readonly url?: string;
  readonly labels?: readonly string[];
};

const answerMs = 1000;

export async function readPeers({
  store,
  bus,
  ping,
  own,
}: {
  readonly store: Pick<Store, 'server' | 'servers'>;
  readonly bus: Pick<Bus, 'request' | 'isConnected'>;
  readonly ping: string;
  readonly own: PeerFacts;
}): Promise<ClusterStatus> {
  const ask = async (id: string): Promise<PeerFacts | undefined> => {
    if (id === store.server) return own;
    const reply = readTaskReply(await bus.request(id, ping, answerMs));
    return reply.is === 'done' ? readFacts(reply.value) : undefined;
  };
  const found = (await store.servers()).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const servers = await Promise.all(
    found.map(async ({ id, leftMs, url }) => {
      const { speaks: _speaks, pinnedRoots, ...figures } = (await ask(id).catch(() => undefined)) ?? {};
      const labels = pinnedRoots && [...new Set(pinnedRoots.map(({ label }) => label))];
      return { id, leftMs: Math.round(leftMs), ...figures, ...defined({ url, labels }) };
    }),
  );
  return { server: store.server, isConnected: bus.isConnected, servers };
}

import type { ClientRooms } from '../domain/client.js';
import { toAppError } from '../domain/errors.js';
import type { ShownEnd } from '../domain/events.js';
import type { Peers } from '../domain/peers.js';
import type { ServerLog } from '../domain/server-log.js';
import type { SessionPort } from '../session/session-port.js';
import type { Store, StoredTask } from '../stores/store.js';
import type { Heirs } from '../tasks/heirs.js';
import type { PinnedRoot } from '../tasks/pinned-roots.js';
import { Recovery } from '../tasks/recovery.js';
import type { Registry } from '../tasks/registry.js';
import type { Relay } from '../tasks/relay.js';
import type { ServerTasks } from '../tasks/server-tasks.js';
import { TaskChanges } from '../tasks/task-changes.js';
import { defined } from '../util/defined.js';
import type { Bus } from './bus/bus.js';
import { ClusterCounts } from './cluster-counts.js';
import { type ClusterStatus, type PeerFacts, readPeers } from './cluster-status.js';
import { ClusterPeers } from './cluster-peers.js';
import { ClusterRooms } from './cluster-rooms.js';
import { clusteredTasks } from './clustered-tasks.js';
import { type Announcement, readAnnouncement, readAsked, speaks, toRefused, toText } from './message.js';
import { Mirrors } from './mirrors.js';
import { LivePeers, type LivePeer } from './live-peers.js';
import { Placement } from './placement.js';
import { publishedStore } from './published-store.js';
import { recoverShare } from './recover-share.js';
import { serverOps } from './server-ops.js';
import { ServerWatch } from './server-watch.js';
import { serveTaskOps } from './task-ops.js';
import { TaskRelay } from './task-relay.js';

export type ClusterOptions = {
  readonly bus: Bus;
  readonly store: Store;
  readonly leaseMs: number;
  readonly version: string;
  readonly turnEnd?: ShownEnd;
  readonly pinnedRoots?: readonly PinnedRoot[];
  /** How often mirrors that hear nothing look into the store. Default two seconds. */
  readonly lookMs?: number;
  /** Called with the principal of a prompt that came to another server, before it is accepted here. */
  readonly know?: (principal: string) => Promise<void>;
  readonly log: ServerLog;
  readonly onError: (error: unknown) => void;
};

export type Cluster = {
  /** For the registry: what it stores is published. */
  readonly store: Store;
  /** Whether a server was found gone, whatever its lease says. */
  isGone(server: string): boolean;
  /** The session of a task where it runs now, after this server has lost it. */
  elsewhere(taskId: string): Promise<SessionPort | undefined>;
  /** Starts to take part. `onGone`: a server is gone, and its tasks may be taken. */
  join(registry: Registry, onGone: () => Promise<void>): JoinedCluster;
};

export type JoinedCluster = {
  readonly tasks: ServerTasks;
  readonly relay: Relay;
  readonly peers: Peers;
  readonly rooms: ClientRooms;
  status(): Promise<ClusterStatus>;
  figures(): Figures;
  /** Continues what nobody runs, together with the other servers: each its share. Resolves to how many. */
  recover(): Promise<number>;
  /** The servers that get the tasks of this one when it stops. */
  heirs(): Promise<Heirs>;
  /** Ends what clients follow here of other servers' tasks: they can follow it there. */
  leave(): void;
  /** The tasks were released: the other servers may have them. */
  close(): Promise<void>;
};

type Figures = {
  readonly mirrors: number;
  readonly isConnected: boolean;
  readonly counts: ClusterCounts;
};

/** A server that stops has time to find out who is there. */
const heirMs = 5000;
const ping = toText({ op: 'ping', taskId: '', about: {} });

/** This server as one of several that work as one: the store is the truth, and the bus carries what happens in it. */
export function openCluster(options: ClusterOptions): Cluster {
  const { bus, store, leaseMs, version, turnEnd, pinnedRoots = [], lookMs, know, log, onError } = options;
  const counts = new ClusterCounts();
  const changes = new TaskChanges();
  const announce = (message: Announcement): void => bus.announce(toText(message));
  const peers = new ClusterPeers({ bus, store, counts, onError });
  let mirrors: Mirrors | undefined;
  let elsewhere: Cluster['elsewhere'] = async () => undefined;
  let watch: ServerWatch | undefined;
  const published = publishedStore(store, bus, (taskId, events) => mirrors?.feed(taskId, { events }));

  async function onAnnouncement(message: Announcement, onGone: () => Promise<void>): Promise<void> {
    if (message.is === 'told') return peers.hear(message);
    if (message.is === 'gone') {
      peers.forget(message.server);
      return onGone();
    }
    if (message.is === 'removed') {
      mirrors?.remove(message.task.id);
      return changes.publish({ type: 'removed', task: message.task });
    }
    const task = await store.task(message.taskId);
    if (task) changes.publish({ type: 'saved', task });
  }

  function join(registry: Registry, onGone: () => Promise<void>): JoinedCluster {
    const flush = (): void => published.flush();
    const own = (): LivePeer => ({ id: store.server, ...facts() });
    const placement = new Placement({ peers: new LivePeers({ store, bus, ping }), own });
    const placeFor = (task: StoredTask): Promise<string> => placement.forKnown(task);
    const relay = new TaskRelay({ registry, store, bus, placeFor, flush, counts, onError });
    serveTaskOps(relay, registry, know);
    mirrors = new Mirrors({ store, bus, relay, counts, onError, ...defined({ turnEnd, lookMs }) });
    const followed = mirrors;
    const rooms = new ClusterRooms({ bus, server: store.server, onError });
    peers.onGone((server) => rooms.forget(server));
    const facts = (): PeerFacts => ({
      version,
      ...registry.counts,
      mirrors: followed.size,
      clients: rooms.clients,
      speaks,
      isDraining: registry.isClosing,
      pinnedRoots: [...pinnedRoots],
    });
    const answer = serverOps({ registry, facts, flush, onError });
    bus.serve(async (text) => {
      try {
        const asked = readAsked(text);
        return JSON.stringify((await answer(asked)) ?? (await (peers.answer(asked) ?? relay.answer(asked))));
      } catch (error) {
        return JSON.stringify(toRefused(toAppError(error)));
      }
    });
    bus.onAnnouncement((text) => void onAnnouncement(readAnnouncement(text), onGone).catch(onError));
    registry.onChange(({ type, task }) => {
      if (type === 'removed') followed.remove(task.id);
      // Only what says whose it was: nobody needs more of a task that is gone.
      announce(
        type === 'saved' ? { is: 'saved', taskId: task.id } : { is: 'removed', task: { ...task, metadata: {} } },
      );
    });
    if (bus.noticesAbsence)
      watch = new ServerWatch({
        bus,
        store,
        leaseMs,
        ping,
        async onGone(server) {
          counts.foundGone++;
          log.info('another server is gone: its tasks are taken over', { server });
          announce({ is: 'gone', server });
          peers.forget(server);
          await onGone();
        },
        onError,
      });
    const leftovers = new Recovery({ scan: () => registry.recover(), isOver: () => registry.isClosing, onError });
    const tasks = clusteredTasks({ registry, mirrors, placement, server: store.server, relay, changes });
    elsewhere = async (taskId) => {
      // Gives up what others have taken, so that it is not found here again.
      await registry.review();
      return tasks.get(taskId);
    };
    return {
      tasks,
      relay,
      peers,
      rooms,
      status: () => readPeers({ store, bus, ping, own: facts() }),
      recover: () => recoverShare(registry, placement, { server: store.server, leaseMs, leftovers }),
      async heirs() {
        const heirOf = await placement.heirs(heirMs);
        const given = (taskId: string, heir: string): void =>
          // One that does not hear of it now loads the task when somebody asks for it.
          void relay.askServer(heir, { op: 'take', taskId, about: {} }).catch(onError);
        return { of: heirOf, given };
      },
      leave: () => followed.close(),
      figures: () => ({ mirrors: followed.size, isConnected: bus.isConnected, counts }),
      async close() {
        watch?.close();
        followed.close();
        rooms.close();
        announce({ is: 'gone', server: store.server });
        await bus.close();
      },
    };
  }

  return {
    store: published.store,
    elsewhere: (taskId) => elsewhere(taskId),
    isGone: (server) => watch?.isGone(server) ?? false,
    join,
  };
}

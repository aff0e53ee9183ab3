import type { AuditFolder } from '../../audit/audit-folder.js';
import type { Devices } from '../../auth/devices.js';
import type { ServeOptions } from '../../cli/argv/serve-options.js';
import type { Cluster, JoinedCluster } from '../../cluster/open-cluster.js';
import type { ServerLog } from '../../domain/server-log.js';
import type { Engines } from '../../engine/task-engine.js';
import type { Store } from '../../stores/store.js';
import { ClientServers } from '../../tasks/client-servers.js';
import { Recovery } from '../../tasks/recovery.js';
import type { Registry } from '../../tasks/registry.js';
import type { Gate } from '../../util/fair-gate.js';
import type { OpenedParts } from '../../util/opened-parts.js';
import { openClusterIfAsked } from './cluster.js';
import { enginesOf, withMcpServers } from './engines.js';
import { openGate } from './gate.js';
import { openSharedStore } from './shared-store.js';
import { openTasks } from './tasks.js';

export type WorkContext = {
  readonly env: NodeJS.ProcessEnv;
  readonly stateDir: string;
  readonly devices: Devices;
  readonly audit: AuditFolder;
  /** Replaces the engines that the options name. */
  readonly engines: Engines | undefined;
  readonly log: ServerLog;
  readonly onError: (error: unknown) => void;
};

/** The tasks of this server with everything that runs and keeps them. */
export type Work = {
  readonly store: Store;
  readonly registry: Registry;
  readonly gate: Gate;
  readonly recovery: Recovery;
  /** MCP servers that clients bring, if they may. */
  readonly clientServers: ClientServers | undefined;
  /** This server as one of several. */
  readonly joined: JoinedCluster | undefined;
};

/** Other servers on the store see this one when it returns. */
export async function openWork(options: ServeOptions, context: WorkContext, opened: OpenedParts): Promise<Work> {
  const { env, stateDir, devices, audit, log, onError } = context;
  let cluster: Cluster | undefined;
  const isGone = (server: string): boolean => cluster?.isGone(server) ?? false;
  const { store, claims, unlock } = await openSharedStore(options, { stateDir, env }, { isGone, onError });
  opened.add(unlock, (release) => release());
  const entry = opened.add(await openGate(options, { server: store.server, devices, onError }), (gate) => gate.close());
  const { gate } = entry;
  const clientServers = options.mayBringMcp ? new ClientServers() : undefined;
  const made = context.engines ?? (await enginesOf(options, { env, stateDir, gate, log, onError }));
  const know = (principal: string): Promise<void> => devices.know(principal);
  cluster = await openClusterIfAsked(options, { store, know, log, onError });
  let joined: JoinedCluster | undefined;
  opened.add(cluster, () => joined?.close());
  const registry = await openTasks(options, {
    ...(cluster && { elsewhere: (taskId: string) => cluster.elsewhere(taskId) }),
    store: cluster?.store ?? store,
    claims,
    engines: clientServers ? withMcpServers(made, clientServers) : made,
    gate,
    audit,
    accountOf: (principal) => devices.accountOf(principal),
    log,
    onRemoved: (id) => clientServers?.forget(id),
    onError,
  });
  opened.add(registry, (tasks) => tasks.close(0));
  joined = cluster?.join(registry, () => claims.beat());
  if (joined) entry.share(joined.peers);
  const recovery = new Recovery({
    scan: () => (joined ?? registry).recover(),
    isOver: () => registry.isClosing,
    onRecovered: (count) => log.info('tasks recovered after a restart', { count }),
    onError,
  });
  await claims.start({ onGone: () => recovery.start(), onLapse: () => registry.review() });
  return { store, registry, gate, recovery, clientServers, joined };
}

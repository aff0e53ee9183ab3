import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { AuditFolder } from '../../audit/audit-folder.js';
import { Devices } from '../../auth/devices.js';
import { endpointShare } from '../../cli/argv/endpoint-flags.js';
import type { ServeOptions } from '../../cli/argv/serve-options.js';
import { wantsTraces } from '../../config/wants-traces.js';
import { version } from '../../config/version.js';
import type { Doer } from '../../domain/audit.js';
import { isStoreAway } from '../../domain/errors.js';
import { sealedAlerts } from '../../server/alerts/alert-place.js';
import { openServer, type OpenServer } from '../../server/open-server.js';
import type { ServerLog } from '../../domain/server-log.js';
import type { Traces } from '../../server/observe/open-traces.js';
import { ClientServers } from '../../tasks/client-servers.js';
import { Recovery } from '../../tasks/recovery.js';
import type { Cluster, ClusterOptions } from '../../cluster/open-cluster.js';
import type { Engines } from '../../engine/task-engine.js';
import { storePlace } from '../../stores/store-place.js';
import { startDemo } from './demo.js';
import { authOf, openTokens } from './auth.js';
import { enginesOf, withMcpServers } from './engines.js';
import { openGate } from './gate.js';
import { openServerLog } from './log.js';
import { serverCard } from '../agent-cards.js';
import { pinnedRootsOf } from './pinned-roots.js';
import { sealIn } from './seal-key.js';
import { openSharedStore } from './shared-store.js';
import { openTasks } from './tasks.js';
import { defined } from '../../util/defined.js';

export type ServeContext = {
  readonly env: NodeJS.ProcessEnv;
  readonly stateDir: string;
  /** Whether the server's start environment is hidden from other programs of this user. */
  readonly isHidden: boolean;
  /** Replaces the engines that the options name. */
  readonly engines?: Engines;
  /** Replaces the log on stdout. */
  readonly log?: ServerLog;
};

export type Served = {
  readonly server: OpenServer;
  readonly log: ServerLog;
  /** Resolves when an admin asks the server to stop. */
  readonly drained: Promise<Doer>;
  /** Lets running turns finish, releases the tasks to other servers, and stops. */
  readonly close: (options?: CloseOptions) => Promise<void>;
};

export type CloseOptions = {
  /** How long running turns may take. */
  readonly drainMs?: number;
  /** Who stops it. */
  readonly by?: Doer;
};

/** The composition root of `cosession serve`. Resolves when the server listens. */
export async function serve(options: ServeOptions, context: ServeContext): Promise<Served> {
  const { stateDir } = context;
  const log = context.log ?? openServerLog(options.logLevel);
  const onError = reporter(log);
  const demo = options.demo ? await startDemo(join(stateDir, 'demo-home')) : undefined;
  const env = { ...context.env, ...demo?.env };
  let cluster: Cluster | undefined;
  const isGone = (server: string): boolean => cluster?.isGone(server) ?? false;
  const { store, claims, unlock } = await openSharedStore(options, { stateDir, env }, { isGone, onError });
  const { tokens, alerts, closeTokens } = await openTokens(options, stateDir);
  const devices = new Devices(tokens, 'server');
  const entry = await openGate(options, { server: store.server, devices, onError });
  const { gate } = entry;
  const clientServers = options.mayBringMcp ? new ClientServers() : undefined;
  const made = context.engines ?? enginesOf(options, { env, stateDir, gate, log, onError });
  const engines = clientServers ? withMcpServers(made, clientServers) : made;
  const know = (principal: string): Promise<void> => devices.know(principal);
  cluster = await openClusterIfAsked(options, { store, know, log, onError });
  const audit = new AuditFolder(stateDir, { days: options.auditDays, onError });
  const onRemoved = (id: string): void => clientServers?.forget(id);
  const accountOf = (principal: string): string => devices.accountOf(principal);
  const shared = cluster && { elsewhere: (taskId: string) => cluster.elsewhere(taskId) };
  const parts = {
    ...shared,
    store: cluster?.store ?? store,
    claims,
    engines,
    gate,
    audit,
    accountOf,
    log,
    onRemoved,
    onError,
  };
  const registry = await openTasks(options, parts);
  const joined = cluster?.join(registry, () => claims.beat());
  if (joined) entry.share(joined.peers);
  const recovery = new Recovery({
    scan: () => (joined ?? registry).recover(),
    isOver: () => registry.isClosing,
    onRecovered: (count) => log.info('tasks recovered after a restart', { count }),
    onError,
  });
  await claims.start({ onGone: () => recovery.start(), onLapse: () => registry.review() });
  const traces = await openTracesIfAsked(env, (problem) => log.error('traces', { problem }));
  const { port } = options;
  const seal = sealIn(stateDir, options.sealKey);
  let drain = (_by: Doer): void => {};
  const drained = new Promise<Doer>((resolve) => (drain = resolve));
  const server = await openServer({
    tasks: joined?.tasks ?? registry,
    ...(joined && { cluster: joined }),
    card: serverCard,
    drain,
    arePrivate: options.tasks === 'private',
    ...(clientServers && { clientServers }),
    ...endpointShare(options),
    port,
    token: randomBytes(24).toString('base64url'),
    requireToken: options.requireToken,
    host: options.host,
    allowHosts: options.allowHosts,
    stateDir,
    auth: await authOf(options, tokens),
    tokens,
    devices,
    webhooks: { store, seal },
    ...(alerts && { alertPlace: sealedAlerts(alerts, seal) }),
    version,
    ...(traces && { traces }),
    audit,
    log,
    presence: { joined: () => {}, left: () => {} },
  }).catch(async (error: unknown) => {
    await registry.close(0);
    await joined?.close();
    await entry.close();
    await closeTokens?.();
    unlock();
    await demo?.close();
    throw whyNot(error, port);
  });
  const { url, grpcPort, tls } = server;
  const listening = { host: options.host, port: server.port, ...defined({ grpcPort, fingerprint: tls?.fingerprint }) };
  if (server.warning !== undefined) log.info(server.warning);
  log.info('listening', { url, ...listening, store: storePlace(options.store), workspace: options.workspace });
  if (!context.isHidden)
    log.info('other programs of this user, including tools, can read the environment of this server');
  // In the background: clients may connect immediately, and the tasks they ask for are loaded first.
  recovery.start();

  return {
    server,
    log,
    drained,
    async close({ drainMs = options.drainMs, by = { surface: 'server' } as const } = {}) {
      const running = gate.inside;
      log.info('shutting down', { running });
      audit.add({ at: new Date().toISOString(), by, action: 'drain', running });
      const deadline = Date.now() + drainMs;
      await registry.drain(drainMs, joined && (() => joined.heirs()));
      // A client that waits for the end of a turn has no cursor to come back with.
      if (joined) await server.answered(deadline - Date.now());
      joined?.leave();
      // Requests under way still need the store.
      await server.close();
      await registry.close(0);
      await joined?.close();
      unlock();
      await entry.close();
      await closeTokens?.();
      await traces?.close();
      await audit.flush();
      await demo?.close();
      log.info('stopped');
    },
  };
}

/** Loaded only on request, so that it costs nothing otherwise. */
async function openClusterIfAsked(
  { cluster, clusterCreds, clusterCa, store: storeUrl, leaseMs, turnEnd, ...options }: ServeOptions,
  parts: Pick<ClusterOptions, 'store' | 'know' | 'log' | 'onError'>,
): Promise<Cluster | undefined> {
  if (cluster === undefined) return undefined;
  const [{ openBus }, { openCluster }] = await Promise.all([
    import('../../cluster/bus/open-bus.js'),
    import('../../cluster/open-cluster.js'),
  ]);
  const { store, onError } = parts;
  const bus = await openBus({ cluster, clusterCreds, clusterCa }, { storeUrl, server: store.server, onError });
  return openCluster({ ...parts, bus, leaseMs, version, turnEnd, pinnedRoots: pinnedRootsOf(options.pinnedRoots) });
}

function reporter(log: ServerLog): (error: unknown) => void {
  return (error) =>
    isStoreAway(error)
      ? log.error('store unavailable', { reason: error.message, cause: error.cause })
      : log.error('internal error', { cause: error });
}

/** Loaded only on request, so that it costs nothing otherwise. */
async function openTracesIfAsked(
  env: NodeJS.ProcessEnv,
  onProblem: (problem: string) => void,
): Promise<Traces | undefined> {
  if (!wantsTraces(env)) return undefined;
  const { openTraces } = await import('../../server/observe/open-traces.js');
  return openTraces(version, onProblem);
}

function whyNot(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new Error(`port ${port} is in use; choose another with --port, or 0 for any free one`);
  if (code === 'EACCES') return new Error(`you may not use port ${port}; choose one above 1023 with --port`);
  return error;
}

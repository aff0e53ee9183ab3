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
import type { Engines } from '../../engine/task-engine.js';
import { storePlace } from '../../stores/store-place.js';
import { startDemo } from './demo.js';
import { authOf, openTokens } from './auth.js';
import { openServerLog } from './log.js';
import { serverCard } from '../agent-cards.js';
import { sealIn } from './seal-key.js';
import { openWork, type Work } from './work.js';
import { defined } from '../../util/defined.js';
import { OpenedParts } from '../../util/opened-parts.js';

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
  const opened = new OpenedParts();
  try {
    return await open(options, context, opened);
  } catch (error) {
    // Why it cannot start matters more than what could not be closed.
    await opened.close().catch(() => {});
    throw whyNot(error, options.port);
  }
}

async function open(options: ServeOptions, context: ServeContext, opened: OpenedParts): Promise<Served> {
  const { stateDir } = context;
  // First what the user may have got wrong: other servers must not see one that cannot start.
  const seal = sealIn(stateDir, options.sealKey);
  const log = context.log ?? openServerLog(options.logLevel);
  const onError = reporter(log);
  const demo = options.demo
    ? opened.add(await startDemo(join(stateDir, 'demo-home')), (model) => model.close())
    : undefined;
  const env = { ...context.env, ...demo?.env };
  const audit = opened.add(new AuditFolder(stateDir, { days: options.auditDays, onError }), (folder) => folder.flush());
  const { tokens, alerts } = opened.add(await openTokens(options, stateDir), ({ closeTokens }) => closeTokens?.());
  const devices = new Devices(tokens, 'server');
  const auth = await authOf(options, tokens);
  const traces = opened.add(await openTracesIfAsked(env, log), (spans) => spans?.close());
  const { engines } = context;
  const work = await openWork(options, { env, stateDir, devices, audit, engines, log, onError }, opened);
  const { store, registry, clientServers, joined } = work;
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
    port: options.port,
    token: randomBytes(24).toString('base64url'),
    requireToken: options.requireToken,
    host: options.host,
    allowHosts: options.allowHosts,
    stateDir,
    auth,
    tokens,
    devices,
    webhooks: { store, seal },
    ...(alerts && { alertPlace: sealedAlerts(alerts, seal) }),
    version,
    ...(traces && { traces }),
    audit,
    log,
    presence: { joined: () => {}, left: () => {} },
  });
  opened.add(server, (endpoint) => endpoint.close());
  sayListening(server, options, context, log);
  // In the background: clients may connect immediately, and the tasks they ask for are loaded first.
  work.recovery.start();
  return { server, log, drained, close: closing(work, { server, audit, log, opened, drainMs: options.drainMs }) };
}

function sayListening(server: OpenServer, options: ServeOptions, { isHidden }: ServeContext, log: ServerLog): void {
  const { url, port, grpcPort, tls, warning } = server;
  const listening = { host: options.host, port, ...defined({ grpcPort, fingerprint: tls?.fingerprint }) };
  if (warning !== undefined) log.info(warning);
  log.info('listening', { url, ...listening, store: storePlace(options.store), workspace: options.workspace });
  if (!isHidden) log.info('other programs of this user, including tools, can read the environment of this server');
}

type Closing = {
  readonly server: OpenServer;
  readonly audit: AuditFolder;
  readonly log: ServerLog;
  readonly opened: OpenedParts;
  readonly drainMs: number;
};

function closing({ registry, gate, joined }: Work, parts: Closing): Served['close'] {
  const { server, audit, log, opened } = parts;
  return async ({ drainMs = parts.drainMs, by = { surface: 'server' } as const } = {}) => {
    const running = gate.inside;
    log.info('shutting down', { running });
    audit.add({ at: new Date().toISOString(), by, action: 'drain', running });
    const deadline = Date.now() + drainMs;
    await registry.drain(drainMs, joined && (() => joined.heirs()));
    // A client that waits for the end of a turn has no cursor to come back with.
    if (joined) await server.answered(deadline - Date.now());
    joined?.leave();
    // The server first: requests under way still need the store.
    await opened.close();
    log.info('stopped');
  };
}

function reporter(log: ServerLog): (error: unknown) => void {
  return (error) =>
    isStoreAway(error)
      ? log.error('store unavailable', { reason: error.message, cause: error.cause })
      : log.error('internal error', { cause: error });
}

/** Loaded only on request, so that it costs nothing otherwise. */
async function openTracesIfAsked(env: NodeJS.ProcessEnv, log: ServerLog): Promise<Traces | undefined> {
  if (!wantsTraces(env)) return undefined;
  const { openTraces } = await import('../../server/observe/open-traces.js');
  return openTraces(version, (problem) => log.error('traces', { problem }));
}

function whyNot(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new Error(`port ${port} is in use; choose another with --port, or 0 for any free one`);
  if (code === 'EACCES') return new Error(`you may not use port ${port}; choose one above 1023 with --port`);
  return error;
}

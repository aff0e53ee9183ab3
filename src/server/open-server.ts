import { setTimeout as sleep } from 'node:timers/promises';
import type { Devices } from '../auth/devices.js';
import type { Tokens } from '../auth/tokens.js';
import { sharedLimiters } from '../auth/shared-limits.js';
import { type Access, type AuthOptions, checkBind, openAccess } from './guards/access.js';
import type { OpenGrpc } from './a2a/grpc/open-grpc.js';
import { readCardKey } from './a2a/card/sign-card.js';
import { type Api, asyncApi, openApi } from './describe/api-documents.js';
import { isLoopback } from './door/address.js';
import { type DoorOptions, openDoor } from './door/door.js';
import { httpServer } from './door/http-server.js';
import { atBasePath, basePathOf, checkBasePath, removeBasePath } from './http/base-path.js';
import { httpApp } from './http-app.js';
import { Lobby, type Presence } from './endpoint/lobby.js';
import { type LiveOffer, offerOf, type TasksOffer } from './offer.js';
import type { AlertPlace } from './alerts/alert-place.js';
import type { AlertTimes } from './alerts/watch-session.js';
import { openA2A } from './open-a2a.js';
import { openAcp } from './open-acp.js';
import { openAlerts } from './open-alerts.js';
import { openPage, type PageDesk } from './open-page.js';
import type { WebhookPlace } from './a2a/push/webhook-place.js';
import { type CommonContext, commonRoutes } from './routes/common.js';
import { type ServedRoute, serveRoutes } from './routes/route.js';
import type { AuditLog } from '../domain/audit.js';
import type { ServerLog } from '../domain/server-log.js';
import type { Traces } from './observe/open-traces.js';
import { auditRefusals } from './observe/audit-refusals.js';
import { auditVisits } from './observe/audit-visits.js';
import { ownUrl } from './own-url.js';
import type { TlsFlags } from './tls/open-tls.js';
import type { TlsIdentity } from './tls/tls-identity.js';
import { openWebSockets } from './web-sockets.js';
import { defined } from '../util/defined.js';

/** How often a stopping server checks whether they are answered. */
const lookMs = 50;

export type ServerOptions = ServerSettings & (LiveOffer | TasksOffer);

export type ServerSettings = TlsFlags & {
  /** Where to listen, by default on loopback. On any other address, everybody needs credentials. */
  readonly host?: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** If undefined, gRPC is off. 0 picks a free port. */
  readonly grpcPort?: number;
  /** The owner's token. Other programs of the owner find it if the endpoint is announced. */
  readonly token: string;
  readonly requireToken: boolean;
  readonly auth?: AuthOptions;
  /** Other host names that clients use to reach this server, such as the name of a proxy. */
  readonly allowHosts?: readonly string[];
  /** The address in the agent card, ending with a slash. By default, our own. Its path may be part of requests or not. */
  readonly publicUrl?: string;
  /** Webhooks at or below these URLs may use private addresses. */
  readonly pushAllow?: readonly string[];
  /** Push services of browsers at or below these URLs may be at private addresses. */
  readonly alertAllow?: readonly string[];
  /** Where webhooks are kept, by default in memory. */
  readonly webhooks?: WebhookPlace;
  /** A private key (PEM) that signs the agent card. */
  readonly cardKey?: string;
  /** An ACP connection over HTTP ends after this long without an open stream. Default 30 seconds. */
  readonly acpIdleMs?: number;
  /** ACP clients may speak version 2, a draft. */
  readonly acpV2?: boolean;
  /** Browsers get no page. */
  readonly noPage?: boolean;
  /** Where to keep what survives a restart. */
  readonly stateDir?: string;
  /** Our own tokens. By default those of the state folder. */
  readonly tokens?: Tokens;
  /** The browsers that are paired with this endpoint. If undefined, none can be. */
  readonly devices?: Devices;
  /** Where servers that work as one keep what alerts need. By default the state folder. */
  readonly alertPlace?: AlertPlace;
  /** When the page sends alerts. */
  readonly alertTimes?: AlertTimes;
  readonly version: string;
  /** Sends spans of requests, turns and tool calls. Only for a server of many tasks. */
  readonly traces?: Traces;
  /** Records who prompts, answers, cancels, deletes and is refused. */
  readonly audit?: AuditLog;
  readonly log: ServerLog;
  readonly presence: Presence;
};

export type OpenServer = {
  readonly port: number;
  readonly grpcPort?: number;
  /** The address for others. */
  readonly url: string;
  /** The address for programs on this machine. */
  readonly ownUrl: string;
  readonly tls?: TlsIdentity;
  readonly clients: number;
  /** Why clients need a token although the options do not require one, and how to get one. */
  readonly advice?: string;
  /** What is unsafe about the options. */
  readonly warning?: string;
  /** Absent with `noPage`, and where browsers cannot be paired. */
  readonly page?: PageDesk;
  /** Resolves once every request that waits for the end of a turn is answered, at the latest after this time. */
  answered(withinMs: number): Promise<void>;
  /** `forGood`: why the clients need not connect again. It is sent to them before this returns. */
  close(forGood?: string): Promise<void>;
};

/** Opens the server, by default on loopback. Rejects with Node's error if the port is not available. */
export async function openServer(options: ServerOptions): Promise<OpenServer> {
  const { log, version, host = '127.0.0.1', auth, cardKey, audit } = options;
  const lobby = new Lobby(options.presence, audit && auditVisits(audit));
  const offer = await offerOf(options, { version, lobby, log, traces: options.traces, audit });
  const key = cardKey === undefined ? undefined : readCardKey(cardKey);
  const tls = await openTlsIfAsked(options);
  const needsCertificate = tls?.asksForCertificates ?? false;
  // The owner of a live session finds its token. That of a server of many tasks is never shown to anybody.
  checkBind(host, 'session' in options || needsCertificate || (auth?.authenticators ?? []).length > 0);
  const closeTls = (error: unknown): never => {
    tls?.close();
    throw error;
  };
  const door = await openDoor({ port: options.port, host, tls, protocol: 'http/1.1' }).catch(closeTls);
  const { port } = door;
  const own = ownUrl(host, port, tls !== undefined);
  const url = options.publicUrl ?? own;
  const onRefused = audit && auditRefusals(audit);
  const { knowsUsers } = door;
  const makeLimiter = offer.peers && sharedLimiters(offer.peers);
  const shared = defined({ onRefused, makeLimiter });
  const access = openAccess({ ...options, host, needsCertificate, knowsUsers, ...shared });
  const grpc = await openGrpcIfAsked(options.grpcPort, { host, tls }, access).catch(async (error: unknown) => {
    await door.close();
    return closeTls(error);
  });
  const a2a = await openA2A({ settings: options, offer, access, url, key, grpcPort: grpc?.port });
  const acp = await openAcp({ settings: options, offer, lobby });

  const { requests, upgrades } = access.guards(port);
  const { metrics, sessionFor } = offer;
  const base = basePathOf(url);
  const before = base === '' ? offer.before : [atBasePath(base), ...offer.before];
  const server = httpServer();
  removeBasePath(server, base);
  const hasHeirs = 'cluster' in options && options.cluster !== undefined;
  const open = { sessionFor, acp: acp.surface, hasHeirs, log, lobby };
  const sockets = openWebSockets({ server, ...open, guard: upgrades, ...access });
  const { call: jsonRpc } = a2a;
  const keys = key ? [key.publicJwk] : [];
  const common = { a2a: a2a.handle, jsonRpc, acp: acp.handle, ws: sockets.handle, keys };
  const page = openPage({ settings: options, offer, access, url, ...shared });
  const about = {
    title: offer.title,
    version,
    url,
    needsToken: access.needsToken,
    security: access.authenticators.map(({ scheme }) => scheme),
  };
  const routes = routesOf(about, common, [...offer.routes, ...openAlerts(options, offer, url), ...page.routes]);
  checkBasePath(base, routes);
  server.on('request', httpApp({ guard: requests, routes, log, before, ...(metrics && { metrics }) }));
  grpc?.serve(a2a.operations);
  door.open((socket) => server.emit('connection', socket));
  if (access.advice !== undefined) log.info('clients need a token', { reason: access.advice });

  return {
    port,
    url,
    ...(grpc && { grpcPort: grpc.port }),
    ownUrl: own,
    ...defined({ tls, advice: access.advice, page: page.desk, warning: warningOf(host, tls) }),
    get clients() {
      return lobby.count;
    },
    async answered(withinMs) {
      const deadline = Date.now() + withinMs;
      while (a2a.operations.answering > 0 && Date.now() < deadline) await sleep(lookMs);
    },
    async close(forGood) {
      sockets.close(forGood);
      for (const part of [access.rechecks, acp, a2a, grpc, tls]) part?.close();
      offer.close?.();
      const closed = door.close();
      server.close();
      setTimeout(() => server.closeAllConnections(), 500).unref();
      await closed;
    },
  };
}

type About = Omit<Api, 'routes'>;

/** All HTTP routes, and the documents that describe them. */
function routesOf(
  about: About,
  served: Pick<CommonContext, 'a2a' | 'jsonRpc' | 'acp' | 'ws' | 'keys'>,
  own: readonly ServedRoute[],
): ServedRoute[] {
  const routes: ServedRoute[] = serveRoutes(commonRoutes, {
    ...served,
    openApi: () => openApi({ ...about, routes }),
    asyncApi: () => asyncApi(about.version, new URL(about.url).host),
  });
  routes.push(...own);
  return routes;
}

function warningOf(host: string, tls: TlsIdentity | undefined): string | undefined {
  if (tls || isLoopback(host)) return undefined;
  return 'not encrypted: others on the network can read everything; add --tls-cert and --tls-key, or --tls self-signed';
}

async function openTlsIfAsked(options: ServerOptions): Promise<TlsIdentity | undefined> {
  if (options.tls === undefined && options.tlsCert === undefined) return undefined;
  const { openTls } = await import('./tls/open-tls.js');
  return openTls(options);
}

/** Loaded only on request because gRPC is half of the server's code. */
async function openGrpcIfAsked(
  port: number | undefined,
  at: Pick<DoorOptions, 'host' | 'tls'>,
  access: Access,
): Promise<OpenGrpc | undefined> {
  if (port === undefined) return undefined;
  const { openGrpc } = await import('./a2a/grpc/open-grpc.js');
  const door = await openDoor({ ...at, port, protocol: 'h2' }).catch((cause: unknown) => {
    throw new Error(`no gRPC on port ${port}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  });
  return openGrpc(door, access);
}

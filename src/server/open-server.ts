import { hostInUrl } from '../util/host-in-url.js';
import { type Access, type AuthOptions, checkBind, openAccess } from './guards/access.js';
import type { OpenGrpc } from './a2a/grpc/open-grpc.js';
import { readCardKey } from './a2a/card/sign-card.js';
import { type Api, asyncApi, openApi } from './describe/api-documents.js';
import { openDoor } from './door/door.js';
import { httpServer } from './door/http-server.js';
import { httpApp } from './http-app.js';
import { Lobby, type Presence } from './endpoint/lobby.js';
import { type LiveOffer, offerOf, type TasksOffer } from './offer.js';
import { openA2A } from './open-a2a.js';
import { openAcp } from './open-acp.js';
import type { WebhookPlace } from './a2a/push/webhook-place.js';
import { pageFiles } from './page/page-files.js';
import { staticRoutes } from './page/static-routes.js';
import { type CommonContext, commonRoutes } from './routes/common.js';
import { type ServedRoute, serveRoutes } from './routes/route.js';
import type { AuditLog } from '../domain/audit.js';
import type { ServerLog } from '../domain/server-log.js';
import type { Traces } from './observe/open-traces.js';
import { auditRefusals } from './observe/audit-refusals.js';
import { openWebSockets } from './web-sockets.js';
import { defined } from '../util/defined.js';

export type ServerOptions = ServerSettings & (LiveOffer | TasksOffer);

export type ServerSettings = {
  /** Where to listen, by default on loopback. Any other address needs an authenticator. */
  readonly host?: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** If undefined, gRPC is off. 0 picks a free port. */
  readonly grpcPort?: number;
  readonly token: string;
  readonly requireToken: boolean;
  readonly auth?: AuthOptions;
  /** Other host names that clients use to reach this server, such as the name of a proxy. */
  readonly allowHosts?: readonly string[];
  /** The address in the agent card, ending with a slash. By default, the address of the socket. */
  readonly publicUrl?: string;
  /** Webhooks at or below these URLs may use private addresses. */
  readonly pushAllow?: readonly string[];
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
  readonly url: string;
  readonly clients: number;
  /** Why clients need a token although the options do not require one, and how to get one. */
  readonly advice?: string;
  /** `forGood`: why the clients need not connect again. They are told so before this returns. */
  close(forGood?: string): Promise<void>;
};

/** Opens the server, by default on loopback. Rejects with Node's error if the port is not available. */
export async function openServer(options: ServerOptions): Promise<OpenServer> {
  const { log, version, host = '127.0.0.1', auth, cardKey, audit } = options;
  const lobby = new Lobby(options.presence);
  const offer = await offerOf(options, { version, lobby, log, traces: options.traces, audit });
  const key = cardKey === undefined ? undefined : readCardKey(cardKey);
  const { authenticators = [] } = auth ?? {};
  checkBind(host, authenticators.length > 0);
  const door = await openDoor(options.port, host);
  const { port } = door;
  const url = options.publicUrl ?? `http://${hostInUrl(host)}:${port}/`;
  const onRefused = audit && auditRefusals(audit);
  const access = openAccess({ ...options, host, knowsUsers: door.knowsUsers, ...defined({ onRefused }) });
  const grpc = await openGrpcIfAsked(options.grpcPort, host, access).catch(async (error: unknown) => {
    await door.close();
    throw error;
  });
  const a2a = await openA2A({ settings: options, offer, access, url, key, grpcPort: grpc?.port });
  const acp = await openAcp({ settings: options, offer, lobby });

  const { requests, upgrades } = access.guards(port);
  const { before, metrics, sessionFor } = offer;
  const server = httpServer();
  const sockets = openWebSockets({ server, sessionFor, acp: acp.surface, guard: upgrades, ...access, log, lobby });
  const common = { a2a: a2a.handle, acp: acp.handle, ws: sockets.handle, keys: key ? [key.publicJwk] : [] };
  const page = options.noPage ? [] : serveRoutes(staticRoutes, { files: pageFiles() });
  const about = {
    title: offer.title,
    version,
    url,
    needsToken: access.needsToken,
    security: authenticators.map(({ scheme }) => scheme),
  };
  const routes = routesOf(about, common, [...offer.routes, ...page]);
  server.on('request', httpApp({ guard: requests, routes, log, before, ...(metrics && { metrics }) }));
  grpc?.serve(a2a.operations);
  door.open((socket) => server.emit('connection', socket));
  if (access.advice !== undefined) log.info('clients need a token', { reason: access.advice });

  return {
    port,
    url,
    ...(grpc && { grpcPort: grpc.port }),
    ...defined({ advice: access.advice }),
    get clients() {
      return lobby.count;
    },
    async close(forGood) {
      sockets.close(forGood);
      for (const part of [access.rechecks, acp, a2a, grpc]) part?.close();
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
  served: Pick<CommonContext, 'a2a' | 'acp' | 'ws' | 'keys'>,
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

/** Loaded only on request because gRPC is half of the server's code. */
async function openGrpcIfAsked(port: number | undefined, host: string, access: Access): Promise<OpenGrpc | undefined> {
  if (port === undefined) return undefined;
  const { openGrpc } = await import('./a2a/grpc/open-grpc.js');
  const door = await openDoor(port, host).catch((cause: unknown) => {
    throw new Error(`no gRPC on port ${port}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  });
  return openGrpc(door, access);
}

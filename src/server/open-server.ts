import type { AgentCard } from '@a2a-js/sdk';
import { agentCard } from '../protocols/a2a/card.js';
import { extendedCard } from '../protocols/a2a/extended-card.js';
import type { Session } from '../session/session.js';
import { hostInUrl } from '../util/host-in-url.js';
import { type Access, type AuthOptions, checkBind, openAccess } from './access.js';
import type { OpenGrpc } from './a2a/grpc/open-grpc.js';
import { PushConfigs } from './a2a/operations/push-configs.js';
import { Operations } from './a2a/operations/operations.js';
import { a2aRoutes } from './a2a/routes.js';
import { readCardKey, signCard } from './a2a/card/sign-card.js';
import { bookOf, type TaskBooks, TaskLibrary } from './a2a/tasks/task-library.js';
import { acpRoutes } from './acp/http-routes.js';
import { acpSurface } from './acp/surface.js';
import { openDoor } from './door/door.js';
import { httpServer } from './door/http-server.js';
import { httpApp } from './http-app.js';
import { Lobby, type Presence } from './lobby.js';
import { type LiveOffer, offerOf, type TasksOffer } from './offer.js';
import { noticeSigner } from './push/notice-token.js';
import { PushSender } from './push/push-sender.js';
import { TargetCheck } from './push/safe-target.js';
import { type WebhookPlace, webhooksInMemory } from './push/webhook-place.js';
import { apiDocumentRoutes } from './routes/api-documents.js';
import { keyRoutes } from './routes/keys.js';
import type { ServerLog } from './server-log.js';
import type { Traces } from './traces/open-traces.js';
import { openWebSockets } from './web-sockets.js';

export type ServerOptions = ServerSettings & (LiveOffer | TasksOffer);

export type ServerSettings = {
  /** Where to listen; without it on loopback. Anything else needs an authenticator. */
  readonly host?: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Undefined: no gRPC. 0 picks a free port. */
  readonly grpcPort?: number;
  readonly token: string;
  readonly requireToken: boolean;
  readonly auth?: AuthOptions;
  /** Names under which clients reach us, such as that of a proxy. */
  readonly allowHosts?: readonly string[];
  /** The address that the card tells, with a slash at its end; without it that of the socket. */
  readonly publicUrl?: string;
  /** Webhooks at or below these addresses may be private. */
  readonly pushAllow?: readonly string[];
  /** Where webhooks are kept; without it in memory. */
  readonly webhooks?: WebhookPlace;
  /** A private key (PEM) that signs the agent card. */
  readonly cardKey?: string;
  /** An ACP connection over HTTP that no stream was open for so long is gone; 30 seconds if not given. */
  readonly acpIdleMs?: number;
  /** ACP clients may speak version 2, a draft. */
  readonly acpV2?: boolean;
  readonly version: string;
  /** What sends spans of requests, turns and tool calls, for a server of many tasks. */
  readonly traces?: Traces;
  readonly log: ServerLog;
  readonly presence: Presence;
};

export type OpenServer = {
  readonly port: number;
  readonly grpcPort?: number;
  readonly url: string;
  readonly clients: number;
  /** Why clients need a token although none was asked for, and how to get one. */
  readonly advice?: string;
  close(): Promise<void>;
};

/** Opens the server, on loopback unless a host is given. Rejects with Node's error when the port cannot be had. */
export async function openServer(options: ServerOptions): Promise<OpenServer> {
  const { log, presence, version, pushAllow = [], host = '127.0.0.1', auth } = options;
  const lobby = new Lobby(presence);
  const offer = await offerOf(options, { version, lobby, log, traces: options.traces });
  const { details, sessionsFor, listingFor, sessionFor, metrics, clientServers } = offer;
  const key = options.cardKey === undefined ? undefined : readCardKey(options.cardKey);
  checkBind(host, (auth?.authenticators ?? []).length > 0);
  const door = await openDoor(options.port, host);
  const { port } = door;
  const access = openAccess({ ...options, host, knowsUsers: door.knowsUsers });
  const server = httpServer();
  const url = options.publicUrl ?? `http://${hostInUrl(host)}:${port}/`;

  const targets = new TargetCheck(pushAllow);
  const sender = new PushSender({ targets, log, ...(key && { sign: noticeSigner(key, url) }) });
  const grpc = await openGrpcIfAsked(options.grpcPort, host, access).catch(async (error: unknown) => {
    await door.close();
    throw error;
  });
  const grpcHost = grpc === undefined ? {} : { grpcHost: `${new URL(url).hostname}:${grpc.port}` };
  const unsigned = agentCard({
    url,
    version,
    isClosed: access.needsToken,
    security: (auth?.authenticators ?? []).map(({ scheme }) => scheme),
    // It must need authentication (A2A 3.1.11), so there is none where no token is asked for.
    hasExtendedCard: access.needsToken && details !== undefined,
    acpVersions: options.acpV2 ? [1, 2] : [1],
    name: offer.name,
    description: offer.description,
    ...grpcHost,
  });
  const signed = async (card: AgentCard): Promise<AgentCard> =>
    key ? signCard(card, key, `${url}.well-known/jwks.json`) : card;
  const card = await signed(unsigned);
  const books: TaskBooks = new WeakMap();
  const taskOf = (session: Session, turnId: string) => bookOf(books, session).get(turnId);
  const push = new PushConfigs({ ...(options.webhooks ?? webhooksInMemory()), targets, sender, log, taskOf });
  // Sessions are followed from the moment they are there, and not from the first question about them.
  offer.onSession((session) => {
    bookOf(books, session);
    push.takeUp(session);
  });
  const operations = new Operations({
    card,
    ...(details && { extendedCard: () => signed(extendedCard(unsigned, details())) }),
    tasksFor: (principal) => new TaskLibrary(sessionsFor(principal), books),
    push,
    log,
  });

  const { requests, upgrades } = access.guards(port);
  const acp = acpSurface({
    sessionsFor,
    listingFor,
    lobby,
    log,
    version,
    ...(clientServers && { clientServers }),
    ...(options.acpV2 && (await loadAcpV2())),
  });
  const acpHttp = acpRoutes(acp, options.acpIdleMs);
  const served = [
    a2aRoutes({ operations, sessionsFor, log }),
    ...offer.routes,
    acpHttp.router,
    apiDocumentRoutes(version, url, offer.api),
    keyRoutes(key),
  ];
  const counted = { before: offer.before, ...(metrics === undefined ? {} : { metrics }) };
  server.on('request', httpApp({ guard: requests, routes: served, log, ...counted }));
  const sockets = openWebSockets({ server, sessionFor, acp, guard: upgrades, ...access, log, lobby });
  grpc?.serve(operations);
  door.open((socket) => server.emit('connection', socket));
  if (access.advice !== undefined) log.info('clients need a token', { reason: access.advice });

  return {
    port,
    url,
    ...(grpc === undefined ? {} : { grpcPort: grpc.port }),
    ...(access.advice === undefined ? {} : { advice: access.advice }),
    get clients() {
      return lobby.count;
    },
    async close() {
      access.leases.close();
      sockets.close();
      acpHttp.close();
      sender.close();
      grpc?.close();
      const closed = door.close();
      server.close();
      setTimeout(() => server.closeAllConnections(), 500).unref();
      await closed;
    },
  };
}

/** Loaded only when asked for: it has schemas of its own. */
async function loadAcpV2() {
  const { withV2 } = await import('./acp/v2-agent.js');
  return { withV2 };
}

/** Loaded only when asked for: gRPC is half of the server's code. */
async function openGrpcIfAsked(port: number | undefined, host: string, access: Access): Promise<OpenGrpc | undefined> {
  if (port === undefined) return undefined;
  const { openGrpc } = await import('./a2a/grpc/open-grpc.js');
  const door = await openDoor(port, host).catch((cause: unknown) => {
    throw new Error(`no gRPC on port ${port}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  });
  return openGrpc(door, access);
}

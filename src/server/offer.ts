import type { SessionsFor } from './http/caller.js';
import type { RequestHandler } from 'express';
import type { ClientServers } from '../tasks/client-servers.js';
import { can, type Principal } from '../auth/principal.js';
import { observedTasks } from '../tasks/observed-tasks.js';
import { oneTask } from '../tasks/one-task.js';
import { privateTasks } from '../tasks/private-tasks.js';
import type { AgentDetails } from '../dialects/a2a/extended-card.js';
import type { Relay } from '../tasks/relay.js';
import type { ServerTasks } from '../tasks/server-tasks.js';
import type { Session } from '../session/session.js';
import type { SessionPort } from '../session/session-port.js';
import { WorkspaceFiles } from '../tasks/workspace-files.js';
import { oneSession, sessionOf } from '../tasks/sessions.js';
import { type Listing, liveListing, tasksListing } from './acp/listing.js';
import type { Lobby } from './endpoint/lobby.js';
import { giveRequestId } from './guards/request-facts.js';
import { checkTask } from './endpoint/methods.js';
import { clientsOf } from './endpoint/session-clients.js';
import type { ClusterView } from './observe/cluster-view.js';
import type { Metrics } from './observe/metrics.js';
import { auditSession, commandIn } from './observe/audit-session.js';
import type { PageFacts } from './page/pairing-routes.js';
import { liveRoutes } from './routes/live.js';
import { type ServedRoute, serveRoutes } from './routes/route.js';
import type { Peers } from '../domain/peers.js';
import type { AuditLog, Doer } from '../domain/audit.js';
import type { ServerLog } from '../domain/server-log.js';
import type { Traces } from './observe/open-traces.js';
import { TurnStreams } from './endpoint/turn-streams.js';
import { defined } from '../util/defined.js';

/** How the agent card presents what is behind this server. */
export type AgentName = { readonly name: string; readonly description: string };

/** The live endpoint: one session, which `/ws` and `/tasks` share. */
export type LiveOffer = {
  readonly session: Session;
  readonly workspace?: string;
  readonly card: AgentName;
};

/** A server of many tasks. */
export type TasksOffer = {
  readonly tasks: ServerTasks;
  readonly card: AgentName;
  /** Principals see only the tasks they created. Those with the scope `admin` see all. */
  readonly arePrivate?: boolean;
  /** If absent, MCP servers of clients are ignored. */
  readonly clientServers?: ClientServers;
  /** This server is one of several that work as one. */
  readonly cluster?: ClusterView;
  /** Lets running turns finish and stops the server. If absent, clients cannot stop it. */
  readonly drain?: (by: Doer) => void;
};

/** What a server offers, in the same form for both kinds. */
export type Offer = AgentName & {
  /** The contexts of standard A2A that a caller may see. */
  readonly sessionsFor: SessionsFor;
  /** The sessions an ACP client can choose from. */
  readonly listingFor: (principal: Principal) => Listing;
  /** MCP servers that ACP clients may bring. If absent, they may bring none. */
  readonly clientServers?: ClientServers;
  readonly routes: readonly ServedRoute[];
  /** What the page shows about where it is. */
  readonly page: Omit<PageFacts, 'version'>;
  /** The title in /openapi.json. */
  readonly title: string;
  /** What the extended card adds. Absent where callers must not learn about each other. */
  readonly details?: () => AgentDetails;
  /** The session for a WebSocket. Undefined if there are many and the client names none. */
  readonly sessionFor: (taskId: string | undefined, principal: Principal) => Promise<SessionPort | undefined>;
  /** Calls back for every session in memory and for each one loaded later. */
  readonly onSession: ServerTasks['onSession'];
  /** Asks the server that runs a task, if there are several. */
  readonly relay?: Relay;
  /** The other servers, if there are several. */
  readonly peers?: Peers;
  /** Only a server of many tasks has metrics. */
  readonly metrics?: Metrics;
  /** Handlers that run before all routes. */
  readonly before: readonly RequestHandler[];
  /** Stops watching the sessions. */
  readonly close?: () => void;
};

export type OfferContext = {
  readonly version: string;
  readonly lobby: Lobby;
  readonly log: ServerLog;
  readonly traces?: Traces | undefined;
  readonly audit?: AuditLog | undefined;
};

export async function offerOf(options: LiveOffer | TasksOffer, context: OfferContext): Promise<Offer> {
  return 'tasks' in options ? tasksOffer(options, context) : liveOffer(options, context);
}

function liveOffer({ session, workspace, card }: LiveOffer, { audit }: OfferContext): Offer {
  const sessions = oneSession(session);
  const place = defined({ workspace });
  return {
    ...card,
    sessionsFor: () => sessions,
    listingFor: () => liveListing(session, workspace),
    details: () => ({ commands: session.commands, model: session.agent.model, ...place }),
    routes: serveRoutes(liveRoutes, {
      session,
      sessionsFor: () => sessions,
      streams: new TurnStreams(),
      files: new WorkspaceFiles(),
      // The log has all live sessions of this user; whoever may see one of them must not see the others.
      ...(audit && { audit: auditOf(audit, session.id) }),
    }),
    page: { mode: 'live', taskId: session.id, ...place },
    title: 'Cosession: the live endpoint',
    before: [],
    ...(audit && { close: auditSession(session, audit) }),
    onSession: (listener) => listener(session),
    async sessionFor(taskId) {
      checkTask(session, taskId);
      return session;
    },
  };
}

async function tasksOffer(
  { tasks: served, card, arePrivate = false, clientServers, cluster, drain }: TasksOffer,
  { version, lobby, log, traces, audit }: OfferContext,
): Promise<Offer> {
  // Loaded only here because a terminal that shares its session needs none of it.
  const [{ Metrics }, { serverRoutes }, { ListStreams }, { taskCounter }, { logRequests }] = await Promise.all([
    import('./observe/metrics.js'),
    import('./routes/server.js'),
    import('./endpoint/list-streams.js'),
    import('./routes/task-count.js'),
    import('./observe/request-log.js'),
  ]);
  const onFound = (session: SessionPort): void => cluster && clientsOf(session).connect(cluster.rooms);
  const given = cluster ? observedTasks(served, { onFound }) : served;
  const streams = new TurnStreams();
  const connections = () => ({ clients: lobby.count, streams: streams.count });
  const metrics = new Metrics({ counts: () => given.counts, connections, ...defined({ cluster: cluster?.figures }) });
  given.onSession((session) => {
    metrics.countEvents(session);
    traces?.onSession(session);
    if (audit) auditSession(session, audit);
  });
  // The only place that decides which tasks a principal sees. Every surface uses it.
  const tasksFor = (principal: Principal): ServerTasks => {
    const { id, device, request } = principal;
    const tasks = request ? observedTasks(given, { onUse: (taskId) => (request.taskId = taskId) }) : given;
    const recorded = audit ? auditedTasks(tasks, principal, audit) : tasks;
    if (device?.taskId !== undefined) return oneTask(recorded, device.taskId, device.taskCreatedAt);
    return arePrivate && !can(principal, 'admin') ? privateTasks(recorded, device?.account ?? id) : recorded;
  };
  return {
    ...card,
    sessionsFor: tasksFor,
    listingFor: (principal) => tasksListing(tasksFor(principal)),
    ...(clientServers && { clientServers }),
    routes: serveRoutes(serverRoutes, {
      tasks: given,
      tasksFor,
      sessionsFor: tasksFor,
      taskCount: taskCounter(given),
      streams,
      files: new WorkspaceFiles(),
      lists: new ListStreams(),
      metrics,
      version,
      ...defined({ audit, drain, clusterStatus: cluster?.status }),
    }),
    ...(cluster && { relay: cluster.relay, peers: cluster.peers }),
    page: { mode: 'serve' },
    title: 'Cosession: the server',
    sessionFor: async (taskId, principal) =>
      taskId === undefined ? undefined : sessionOf(tasksFor(principal), taskId),
    onSession: (listener) => given.onSession(listener),
    metrics,
    before: [giveRequestId, logRequests(log), metrics.countRequest, ...(traces ? [traces.onRequest] : [])],
  };
}

/** The part of the log that is about one task. */
function auditOf(audit: AuditLog, taskId: string): AuditLog {
  return {
    add: (entry) => audit.add(entry),
    async *read(query) {
      if ((query.taskId ?? taskId) === taskId) yield* audit.read({ ...query, taskId });
    },
  };
}

/** Records actions of a principal that are not events of a session. */
function auditedTasks(tasks: ServerTasks, { id }: Principal, audit: AuditLog): ServerTasks {
  const entry = () => ({ at: new Date().toISOString(), by: { principal: id } });
  return observedTasks(tasks, {
    onRemoved: (taskId) => audit.add({ ...entry(), action: 'delete', taskId }),
    onCommand: (command) =>
      audit.add({ ...entry(), action: 'command', command: commandIn(`/${command.replace(/^\//, '')}`) }),
  });
}

import type { AgentCard } from '@a2a-js/sdk';
import type { RequestHandler } from 'express';
import { agentCard } from '../dialects/a2a/card.js';
import { extendedCard } from '../dialects/a2a/extended-card.js';
import type { SessionPort } from '../session/session-port.js';
import type { Access } from './guards/access.js';
import { type CardKey, signCard } from './a2a/card/sign-card.js';
import { type JsonRpcEndpoint, jsonRpcEndpoint } from './a2a/json-rpc/endpoint.js';
import { Operations } from './a2a/operations/operations.js';
import { PushConfigs } from './a2a/operations/push-configs.js';
import { a2aRoutes } from './a2a/routes.js';
import { bookOf, type TaskBooks, TaskLibrary } from './a2a/tasks/task-library.js';
import type { Offer } from './offer.js';
import type { ServerSettings } from './open-server.js';
import { noticeSigner } from './a2a/push/notice-token.js';
import { PushSender } from './a2a/push/push-sender.js';
import { TargetCheck } from './a2a/push/safe-target.js';
import { webhooksInMemory } from './a2a/push/webhook-place.js';

export type A2AOptions = {
  readonly settings: ServerSettings;
  readonly offer: Offer;
  readonly access: Access;
  /** The address clients use to reach this server. */
  readonly url: string;
  /** Signs the agent card and webhook notifications. */
  readonly key: CardKey | undefined;
  readonly grpcPort: number | undefined;
};

export type OpenA2A = {
  readonly operations: Operations;
  /** JSON-RPC. */
  readonly call: JsonRpcEndpoint;
  /** The card and HTTP+JSON. */
  readonly handle: RequestHandler;
  close(): void;
};

/** Standard A2A for the clients of one server: its card, its tasks and its webhooks. */
export async function openA2A(options: A2AOptions): Promise<OpenA2A> {
  const { settings, offer, url, key } = options;
  const { log, pushAllow = [], webhooks = webhooksInMemory() } = settings;
  const { sessionsFor, details, onSession, relay } = offer;
  const targets = new TargetCheck(pushAllow);
  const sender = new PushSender({ targets, log, ...(key && { sign: noticeSigner(key, url) }) });
  const books: TaskBooks = new WeakMap();
  const taskOf = (session: SessionPort, turnId: string) => bookOf(books, session).recall(turnId);
  const push = new PushConfigs({ ...webhooks, targets, sender, log, taskOf, ...(relay && { relay }) });
  // Follow each session from the moment it exists, not from the first request about it.
  onSession((session) => {
    bookOf(books, session);
    push.resume(session);
  });
  const sign = async (card: AgentCard): Promise<AgentCard> =>
    key ? signCard(card, key, `${url}.well-known/jwks.json`) : card;
  const unsigned = cardOf(options);
  const operations = new Operations({
    card: await sign(unsigned),
    ...(details && { extendedCard: () => sign(extendedCard(unsigned, details())) }),
    tasksFor: (principal) => new TaskLibrary(sessionsFor(principal), books),
    push,
    log,
  });
  return {
    operations,
    call: jsonRpcEndpoint({ operations, sessionsFor, log }),
    handle: a2aRoutes(operations),
    close: () => sender.close(),
  };
}

function cardOf({ settings, offer, access, url, grpcPort }: A2AOptions): AgentCard {
  const { version, acpV2 } = settings;
  const { name, description, details } = offer;
  return agentCard({
    url,
    version,
    isClosed: access.needsToken,
    security: access.authenticators.map(({ scheme }) => scheme),
    // The extended card must require authentication (A2A 3.1.11), so a server without tokens has none.
    hasExtendedCard: access.needsToken && details !== undefined,
    acpVersions: acpV2 ? [1, 2] : [1],
    name,
    description,
    ...(grpcPort === undefined ? {} : { grpcHost: `${new URL(url).hostname}:${grpcPort}` }),
  });
}

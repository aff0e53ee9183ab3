import type { Request, RequestHandler, Response } from 'express';
import * as z from 'zod';
import { rpcReply, rpcRequest } from '../http/json-rpc.js';
import { type Route, type RouteFacts, route } from './route.js';

/** What every server has: standard A2A, ACP over HTTP, and documents about itself. */
export type CommonContext = {
  readonly a2a: RequestHandler;
  readonly jsonRpc: (request: Request, response: Response) => Promise<void>;
  readonly acp: RequestHandler;
  /** What a plain request to the address of the WebSockets gets. */
  readonly ws: RequestHandler;
  readonly openApi: () => object;
  readonly asyncApi: () => object;
  /** The public keys that verify the agent card. Its signature names their ids. */
  readonly keys: readonly object[];
};

/** A2A's router handles both versions of its protocol. This table lists their paths. */
const a2a = (facts: RouteFacts): Route<CommonContext> => ({
  ...facts,
  handle: (context, request, response, next) => context.a2a(request, response, next),
});

/** The scope that an ACP message needs is known only once it has been read. */
const acp = (method: RouteFacts['method']): Route<CommonContext> => ({
  method,
  path: '/acp',
  scope: 'view',
  handle: (context, request, response, next) => context.acp(request, response, next),
});

/** The parts that every card has. */
const agentCard = z.looseObject({
  name: z.string(),
  description: z.string(),
  version: z.string(),
  skills: z.array(z.looseObject({ id: z.string(), name: z.string() })),
});

const hooks = '/a2a/rest{/v1}/tasks/:taskId/pushNotificationConfigs';

export const commonRoutes: readonly Route<CommonContext>[] = [
  a2a({
    name: 'getAgentCard',
    method: 'GET',
    path: '/.well-known/agent-card.json',
    scope: 'public',
    summary: 'The A2A agent card',
    answer: { status: 200, meaning: 'the card, as the A2A specification describes it', json: agentCard },
  }),
  a2a({ method: 'GET', path: '/.well-known/agent.json', scope: 'public' }),
  a2a({ method: 'GET', path: '/v1/.well-known/agent-card.json', scope: 'public' }),
  route({
    name: 'callJsonRpc',
    method: 'POST',
    path: '/',
    // The scope that the method needs is known only once the body has been read.
    scope: 'view',
    summary: 'A2A JSON-RPC, v1.0 and v0.3, and commands/get, command/execute',
    body: rpcRequest,
    answer: { status: 200, meaning: 'a reply; methods that stream reply with server-sent events', json: rpcReply },
    handle: ({ jsonRpc }: CommonContext, request, response) => jsonRpc(request, response),
  }),
  a2a({ method: 'POST', path: '/a2a/rest{/v1}/message\\:send', scope: 'message' }),
  a2a({ method: 'POST', path: '/a2a/rest{/v1}/message\\:stream', scope: 'message' }),
  a2a({ method: 'GET', path: '/a2a/rest{/v1}/tasks', scope: 'view' }),
  a2a({ method: 'GET', path: '/a2a/rest{/v1}/tasks/:taskId', scope: 'view' }),
  a2a({ method: 'POST', path: '/a2a/rest{/v1}/tasks/:taskId\\:subscribe', scope: 'view' }),
  a2a({ method: 'POST', path: '/a2a/rest{/v1}/tasks/:taskId\\:cancel', scope: 'prompt' }),
  a2a({ method: 'GET', path: hooks, scope: 'prompt' }),
  a2a({ method: 'POST', path: hooks, scope: 'prompt' }),
  a2a({ method: 'GET', path: `${hooks}/:configId`, scope: 'prompt' }),
  a2a({ method: 'DELETE', path: `${hooks}/:configId`, scope: 'prompt' }),
  a2a({ method: 'GET', path: '/a2a/rest/v1/card', scope: 'view' }),
  a2a({ method: 'GET', path: '/a2a/rest/extendedAgentCard', scope: 'view' }),
  // Other A2A paths, such as those of tenants.
  a2a({ method: 'GET', path: '/a2a/rest/*rest', scope: 'admin' }),
  a2a({ method: 'POST', path: '/a2a/rest/*rest', scope: 'admin' }),
  a2a({ method: 'DELETE', path: '/a2a/rest/*rest', scope: 'admin' }),
  acp('GET'),
  acp('POST'),
  acp('DELETE'),
  {
    method: 'GET',
    path: '/ws',
    scope: 'view',
    handle: (context, request, response, next) => context.ws(request, response, next),
  },
  // Built on request, since requests are rare.
  route({
    method: 'GET',
    path: '/openapi.json',
    scope: 'view',
    handle: ({ openApi }: CommonContext, _request, response) => void response.json(openApi()),
  }),
  route({
    method: 'GET',
    path: '/asyncapi.json',
    scope: 'view',
    handle: ({ asyncApi }: CommonContext, _request, response) => void response.json(asyncApi()),
  }),
  route({
    method: 'GET',
    path: '/.well-known/jwks.json',
    scope: 'public',
    handle: ({ keys }: CommonContext, _request, response) => void response.json({ keys }),
  }),
];

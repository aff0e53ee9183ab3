import * as z from 'zod';
import { noticeSchemas } from '../../dialects/endpoint/notice-schemas.js';
import { eventSchemas } from '../../dialects/endpoint/to-wire.js';
import { messageParams } from '../../dialects/shared/message.js';
import { commandParams } from '../endpoint/command-methods.js';
import { errorResponses, errorSchema } from './api-errors.js';
import { pathsOf } from './api-paths.js';
import { apiSecurity } from './api-security.js';
import { openComponents, type SchemaPart, schemaOf } from './json-schema.js';
import { cursorParams, idParams } from '../endpoint/methods.js';
import type { RouteFacts } from '../routes/route.js';
import type { SecurityScheme } from '../../domain/security-scheme.js';

export type Api = {
  readonly title: string;
  readonly version: string;
  readonly url: string;
  readonly routes: readonly RouteFacts[];
  /** Every request needs a token. */
  readonly needsToken: boolean;
  /** Ways to authenticate other than the session token. */
  readonly security: readonly SecurityScheme[];
};

/** `GET /openapi.json`, generated from the route table. */
export function openApi({ title, version, url, routes, needsToken, security }: Api): SchemaPart {
  const components = openComponents();
  const paths = pathsOf(routes, components);
  const access = apiSecurity(security, needsToken);
  return {
    openapi: '3.1.0',
    info: info(version, title),
    servers: [{ url: url.replace(/\/$/, '') }],
    security: access.requirements,
    paths,
    components: {
      schemas: { ...components.schemas, Error: errorSchema },
      responses: errorResponses(routes),
      securitySchemes: access.schemes,
    },
  };
}

function info(version: string, title: string): SchemaPart {
  const description = 'To prompt and follow the turn, a new client uses `streamMessage`, which has every event.';
  return { title, version, description, license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' } };
}

type Request = { readonly summary: string; readonly params: z.ZodType };

const message = 'a prompt, or the answer to a question; the reply confirms it; events follow';

/** Requests on the socket, by method. */
const requests: Readonly<Record<string, Request>> = {
  'message/stream': { summary: message, params: messageParams },
  'message/send': { summary: 'the same as message/stream', params: messageParams },
  'tasks/get': { summary: 'the task with its state, history and open questions', params: idParams },
  'tasks/cancel': {
    summary: 'stops the running turn, or cancels a queued one if `id` names a turn',
    params: idParams,
  },
  'tasks/resubscribe': { summary: 'sends the events after a cursor again, then continues', params: cursorParams },
  'commands/get': { summary: 'the slash commands that a client may run', params: z.object({}) },
  'command/execute': {
    summary: 'runs a slash command; its output comes as events of the turn `execution_id`',
    params: commandParams,
  },
};

/** `GET /asyncapi.json`: the messages on `/ws` in both directions. */
export function asyncApi(version: string, host: string): SchemaPart {
  const incoming = Object.entries(requests).map(([method, { summary, params }]) => [
    nameOf(method),
    { name: method, summary, payload: requestOf(method, params) },
  ]);
  const outgoing = Object.entries({ ...eventSchemas, ...noticeSchemas }).map(([kind, schema]) => [
    kind,
    { name: kind, summary: schema.description, payload: schemaOf(schema) },
  ]);
  const refs = (entries: readonly unknown[][]): SchemaPart[] =>
    entries.map(([name]) => ({ $ref: `#/channels/session/messages/${String(name)}` }));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Cosession: the WebSocket of the live endpoint',
      version,
      license: { name: 'Apache License 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: { live: { host, protocol: 'ws', pathname: '/ws' } },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- entries of two kinds have no common type
    channels: { session: { address: '/ws', messages: Object.fromEntries([...incoming, ...outgoing]) as SchemaPart } },
    operations: {
      request: { action: 'receive', channel: { $ref: '#/channels/session' }, messages: refs(incoming) },
      event: { action: 'send', channel: { $ref: '#/channels/session' }, messages: refs(outgoing) },
    },
  };
}

function requestOf(method: string, params: z.ZodType): SchemaPart {
  const envelope = z.object({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]).optional(),
    method: z.literal(method),
    params,
  });
  return schemaOf(envelope);
}

/** Keys of AsyncAPI maps have no slashes. */
function nameOf(method: string): string {
  return method.replace('/', '.');
}

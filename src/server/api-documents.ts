import * as z from 'zod';
import { confirmationSchemas } from '../protocols/confirmation.js';
import { eventSchemas, noticeSchemas } from '../protocols/endpoint/event-schemas.js';
import { messageParams } from '../protocols/message.js';
import { commandParams } from './command-methods.js';
import { info, type Json, schemaOf } from './api-parts.js';
import { cursorParams, idParams } from './methods.js';

/** Which routes a server has. */
export type Api = { readonly title: string; readonly paths: () => Json };

/** `GET /openapi.json`: the HTTP routes, from the schemas that check the requests. */
export function openApi(version: string, url: string, { title, paths }: Api): Json {
  return {
    openapi: '3.1.0',
    info: info(version, title),
    servers: [{ url }],
    paths: paths(),
    components: { schemas: { Confirmation: { anyOf: Object.values(confirmationSchemas).map(schemaOf) } } },
  };
}

/** Requests on the socket, by method. */
const requests = {
  'message/stream': messageParams,
  'message/send': messageParams,
  'tasks/get': idParams,
  'tasks/cancel': idParams,
  'tasks/resubscribe': cursorParams,
  'commands/get': z.object({}),
  'command/execute': commandParams,
};

/** `GET /asyncapi.json`: what goes over `/ws`, both ways. */
export function asyncApi(version: string, host: string): Json {
  const incoming = Object.entries(requests).map(([method, params]) => [
    nameOf(method),
    { name: method, payload: requestOf(method, params) },
  ]);
  const outgoing = Object.entries({ ...eventSchemas, ...noticeSchemas }).map(([kind, schema]) => [
    kind,
    { name: kind, payload: schemaOf(schema) },
  ]);
  const refs = (entries: readonly unknown[][]): Json[] =>
    entries.map(([name]) => ({ $ref: `#/channels/session/messages/${String(name)}` }));
  return {
    asyncapi: '3.0.0',
    info: info(version, 'Cosession: the WebSocket of the live endpoint'),
    defaultContentType: 'application/json',
    servers: { live: { host, protocol: 'ws', pathname: '/ws' } },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- entries of two kinds have no common type
    channels: { session: { address: '/ws', messages: Object.fromEntries([...incoming, ...outgoing]) as Json } },
    operations: {
      request: { action: 'receive', channel: { $ref: '#/channels/session' }, messages: refs(incoming) },
      event: { action: 'send', channel: { $ref: '#/channels/session' }, messages: refs(outgoing) },
    },
  };
}

function requestOf(method: string, params: z.ZodType): Json {
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

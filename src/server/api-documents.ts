import * as z from 'zod';
import { confirmationSchemas } from '../protocols/confirmation.js';
import { eventSchemas, noticeSchemas } from '../protocols/endpoint/event-schemas.js';
import { messageParams } from '../protocols/message.js';
import { commandParams } from './command-methods.js';
import { errorTable } from './error-table.js';
import { cursorParams, idParams } from './methods.js';

type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodType): Json => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
};

const info = (version: string, title: string): Json => ({ title, version, license: { name: 'Apache-2.0' } });

const errorBody = schemaOf(
  z.object({ error: z.object({ code: z.enum(Object.keys(errorTable)), message: z.string() }) }),
);
const failures = {
  default: { description: 'An error: see docs/errors.md', content: { 'application/json': { schema: errorBody } } },
};
const ok = (description: string, schema?: Json): Json => ({
  description,
  ...(schema ? { content: { 'application/json': { schema } } } : {}),
});

const taskId = { name: 'taskId', in: 'path', required: true, schema: { type: 'string' } };
const created = schemaOf(
  z.object({ taskId: z.string(), sessionId: z.string(), contextId: z.string(), state: z.string() }),
);

/** `GET /openapi.json`: the HTTP routes of the endpoint, from the schemas that check the requests. */
export function openApi(version: string, url: string): Json {
  const events = schemaOf(z.union(Object.values(eventSchemas)));
  return {
    openapi: '3.1.0',
    info: info(version, 'Cosession: the live endpoint'),
    servers: [{ url }],
    paths: {
      '/.well-known/agent-card.json': {
        get: { summary: 'The A2A agent card', responses: { 200: ok('the card'), ...failures } },
      },
      '/tasks': {
        post: { summary: 'The one task: the session', responses: { 201: ok('its ids', created), ...failures } },
      },
      '/tasks/{taskId}': {
        get: {
          summary: 'State, history and open questions',
          parameters: [taskId],
          responses: { 200: ok('the task'), ...failures },
        },
      },
      '/tasks/{taskId}/cancel': {
        post: {
          summary: 'Stop the running turn',
          parameters: [taskId],
          responses: { 202: ok('accepted'), ...failures },
        },
      },
      '/tasks/{taskId}/messages/stream': {
        post: {
          summary: 'Send a prompt or an answer; its turn follows as server-sent events',
          parameters: [taskId, { name: 'after', in: 'query', schema: { type: 'integer', minimum: 0 } }],
          requestBody: { required: true, content: { 'application/json': { schema: schemaOf(messageParams) } } },
          responses: {
            200: { description: 'events', content: { 'text/event-stream': { schema: events } } },
            ...failures,
          },
        },
      },
      '/': {
        post: {
          summary: 'A2A JSON-RPC, v1.0 and v0.3, and commands/get, command/execute',
          responses: { 200: ok('a reply') },
        },
      },
    },
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

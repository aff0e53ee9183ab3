import type { ErrorCode } from '../../domain/errors.js';
import { errorTable } from '../http/error-table.js';
import type { RouteFacts } from '../routes/route.js';
import type { SchemaPart } from './json-schema.js';

/** The errors that a route can answer with: those of the checks before it, and any other as `default`. */
export function errorsOf(route: RouteFacts): SchemaPart {
  if (route.path === '/') return { '4XX': { $ref: '#/components/responses/JsonRpcError' } };
  const refs = statusesOf(route).map((status) => [status, { $ref: `#/components/responses/Error${status}` }] as const);
  return { ...Object.fromEntries(refs), default: { $ref: '#/components/responses/Error' } };
}

/** `components.responses`: one for each HTTP status that the routes refer to, and one for any error. */
export function errorResponses(routes: readonly RouteFacts[]): SchemaPart {
  const statuses = new Set(routes.flatMap(statusesOf));
  const rows = [...statuses]
    .toSorted((a, b) => a - b)
    .map((status) => [`Error${status}`, responseOf(codesOf(status))] as const);
  return {
    ...Object.fromEntries(rows),
    Error: { description: 'Any other error: see docs/errors.md', content: errorContent },
    JsonRpcError: {
      description: 'JSON-RPC has its own form of errors, with the same codes',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/JsonRpcReply' } } },
    },
  };
}

export const errorSchema: SchemaPart = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: { type: 'string', enum: Object.keys(errorTable) },
        message: { type: 'string' },
      },
      required: ['code', 'message'],
      additionalProperties: true,
    },
  },
  required: ['error'],
};

const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

function responseOf(codes: readonly ErrorCode[]): SchemaPart {
  const description = codes.map((code) => `\`${code}\`: ${errorTable[code].meaning}`).join('\n\n');
  return { description, content: errorContent };
}

function codesOf(status: number): readonly ErrorCode[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table are the codes
  return (Object.keys(errorTable) as ErrorCode[]).filter((code) => errorTable[code].http === status);
}

/** The checks before a route decide most of them; what a session refuses decides the rest. */
function statusesOf({ path, scope, ...route }: RouteFacts): readonly number[] {
  const hasBody = route.name !== undefined && route.body !== undefined;
  const hasQuery = route.name !== undefined && route.query !== undefined;
  return [
    ...(hasBody || hasQuery ? [400] : []),
    ...(scope === 'public' || scope === 'anyone' ? [] : [401]),
    403,
    ...(/[:*]/.test(path) ? [404] : []),
    ...(scope === 'message' || scope === 'prompt' ? [409] : []),
    ...(hasBody ? [413, 415] : []),
    429,
    503,
  ];
}

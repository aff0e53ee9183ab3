import { body, events, failures, type SchemaPart, ok, schemaOf } from './api-parts.js';
import type { RouteAnswer, RouteQuery, RouteFacts } from '../routes/route.js';

/** The `paths` of OpenAPI, from the route table. */
export function pathsOf(routes: readonly RouteFacts[]): SchemaPart {
  const paths: Record<string, SchemaPart> = {};
  for (const route of routes) {
    if (route.summary === undefined) continue;
    (paths[route.path.replaceAll(parameter, '{$1}')] ??= {})[route.method.toLowerCase()] = operationOf(route);
  }
  return paths;
}

/** Express's syntax for one path segment (`:`) or the rest of the path (`*`). */
const parameter = /[:*](\w+)/g;

function operationOf({ path, summary, query, body: given, answer }: RouteFacts): SchemaPart {
  const parameters = [...path.matchAll(parameter)]
    .map(([, name]) => pathParameter(name))
    .concat(queryParameters(query));
  return {
    summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(given && { requestBody: body(given) }),
    // JSON-RPC has its own errors.
    responses: { ...(answer && { [answer.status]: responseOf(answer) }), ...(path === '/' ? {} : failures) },
  };
}

function responseOf({ meaning, json, events: sent }: RouteAnswer): SchemaPart {
  return sent ? events(meaning, sent) : ok(meaning, json && schemaOf(json));
}

function pathParameter(name: string | undefined): SchemaPart {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

function queryParameters(query: RouteQuery | undefined): SchemaPart[] {
  return Object.entries(query?.shape ?? {}).map(([name, schema]) => ({ name, in: 'query', schema: schemaOf(schema) }));
}

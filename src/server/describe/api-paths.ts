import type * as z from 'zod';
import type { RouteAnswer, RouteDescription, RouteFacts, RoutePlace, RouteQuery } from '../routes/route.js';
import { errorsOf } from './api-errors.js';
import type { Components, SchemaPart } from './json-schema.js';

/** The `paths` of OpenAPI, from the route table. */
export function pathsOf(routes: readonly RouteFacts[], components: Components): SchemaPart {
  const paths: Record<string, SchemaPart> = {};
  for (const route of routes) {
    if (route.name === undefined) continue;
    (paths[route.path.replaceAll(parameter, '{$1}')] ??= {})[route.method.toLowerCase()] = operationOf(
      route,
      components,
    );
  }
  return paths;
}

/** Express's syntax for one path segment (`:`) or the rest of the path (`*`). */
const parameter = /[:*](\w+)/g;

function operationOf(route: RoutePlace & RouteDescription, components: Components): SchemaPart {
  const { name, path, scope, summary, query, body, answer } = route;
  const parameters = [...path.matchAll(parameter)]
    .map(([, found]) => pathParameter(found))
    .concat(queryParameters(query, components));
  return {
    operationId: name,
    summary,
    ...(scope === 'public' || scope === 'anyone' ? { security: [] } : { description: needOf(scope) }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body && { requestBody: bodyOf(body, components) }),
    responses: { [answer.status]: responseOf(answer, components), ...errorsOf(route) },
  };
}

function needOf(scope: RoutePlace['scope']): string {
  return scope === 'message'
    ? 'A prompt needs the scope `prompt`, an answer `approve`.'
    : `Needs the scope \`${scope}\`.`;
}

function responseOf({ meaning: description, ...answer }: RouteAnswer, components: Components): SchemaPart {
  if ('json' in answer) return { description, content: contentOf('application/json', answer.json, components) };
  if ('events' in answer) return { description, content: contentOf('text/event-stream', answer.events, components) };
  if ('mediaType' in answer) return { description, content: { [answer.mediaType]: { schema: { type: 'string' } } } };
  return { description };
}

/** A missing body is read as an empty object. */
function bodyOf(schema: z.ZodType, components: Components): SchemaPart {
  return { required: !schema.safeParse({}).success, content: contentOf('application/json', schema, components) };
}

function contentOf(mediaType: string, schema: z.ZodType, components: Components): SchemaPart {
  return { [mediaType]: { schema: components.schemaOf(schema) } };
}

function pathParameter(name: string | undefined): SchemaPart {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

function queryParameters(query: RouteQuery | undefined, components: Components): SchemaPart[] {
  return Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    schema: components.schemaOf(schema),
  }));
}

import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type * as z from 'zod';
import type { Requirement } from '../guards/scopes.js';

/** An HTTP route. This is the only definition: Express, the scope check and /openapi.json all read it. */
export type Route<Context> = RouteFacts & {
  handle(context: Context, request: Request, response: Response, next: NextFunction): unknown;
};

export type RouteFacts = RoutePlace & (RouteDescription | { readonly name?: never });

export type RoutePlace = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** In Express's syntax: `/tasks/:taskId`. */
  readonly path: string;
  /** What the caller needs. */
  readonly scope: Requirement;
};

/** What /openapi.json says about a route. A route without it is described elsewhere, by a standard for example. */
export type RouteDescription = {
  /** The `operationId`: the name of the function in generated clients. */
  readonly name: string;
  readonly summary: string;
  readonly query?: RouteQuery;
  readonly body?: z.ZodType;
  readonly answer: RouteAnswer;
};

export type RouteQuery = z.ZodObject<Readonly<Record<string, z.ZodType>>>;

/** The response on success: JSON, server-sent events, another type of content, or no content. */
export type RouteAnswer = { readonly status: number; readonly meaning: string } & (
  | { readonly json: z.ZodType }
  | { readonly events: z.ZodType }
  | { readonly mediaType: string }
  | { readonly status: 204 }
);

/** A route bound to the context of a running server. */
export type ServedRoute = RouteFacts & { readonly handle: RequestHandler };

/** A row of a route table. The path parameters are typed by the names in the path. */
export function route<Context, Path extends string>(row: Row<Context, Path>): Route<Context> {
  return row;
}

type Row<Context, Path extends string> = RouteFacts & {
  readonly path: Path;
  handle(context: Context, request: Request<Request['params'] & Parameters<Path>>, response: Response): unknown;
};

type Parameters<Path extends string> = Path extends `${infer First}/${infer Rest}`
  ? Parameter<First> & Parameters<Rest>
  : Parameter<Path>;
type Parameter<Part extends string> = Part extends `:${infer Name}`
  ? Readonly<Record<Name, string>>
  : Part extends `*${infer Name}`
    ? Readonly<Record<Name, string[]>>
    : unknown;

export function serveRoutes<Context>(routes: readonly Route<Context>[], context: Context): ServedRoute[] {
  return routes.map((row) => ({
    ...row,
    handle: (request, response, next) => row.handle(context, request, response, next),
  }));
}

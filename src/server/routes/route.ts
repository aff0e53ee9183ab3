import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type * as z from 'zod';
import type { Requirement } from '../guards/scopes.js';

/** A way in over HTTP. Express, the guard of scopes and /openapi.json all read it from here, and there is no other. */
export type Route<Context> = RouteFacts & {
  handle(context: Context, request: Request, response: Response, next: NextFunction): unknown;
};

export type RouteFacts = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As Express reads it: `/tasks/:taskId`. */
  readonly path: string;
  /** What the caller must have. */
  readonly scope: Requirement;
  /** Absent: not in /openapi.json, since a standard or the document itself describes it. */
  readonly summary?: string;
  readonly query?: RouteQuery;
  readonly body?: z.ZodType;
  readonly answer?: RouteAnswer;
};

export type RouteQuery = z.ZodObject<Readonly<Record<string, z.ZodType>>>;

/** What comes back when all is well: text, JSON or server-sent events. */
export type RouteAnswer = {
  readonly status: number;
  readonly meaning: string;
  readonly json?: z.ZodType;
  readonly events?: z.ZodType;
};

/** A route on a server that runs. */
export type ServedRoute = RouteFacts & { readonly handle: RequestHandler };

/** A row of a table of routes. The parameters of its path have the names that stand in it. */
export function route<Context, Path extends string>(row: Row<Context, Path>): Route<Context> {
  return row;
}

type Row<Context, Path extends string> = Omit<RouteFacts, 'path'> & {
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

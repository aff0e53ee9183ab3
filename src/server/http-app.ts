import express, {
  type ErrorRequestHandler,
  type Express,
  type RequestHandler,
  Router,
  type RouterOptions,
} from 'express';
import { AppError, toAppError } from '../domain/errors.js';
import { toA2AHttpError } from './a2a/http-json/http-error.js';
import { toHttpError } from './http/error-table.js';
import { errorHeaders } from './http/error-headers.js';
import { principalOf } from './guards/admission.js';
import type { Guard } from './guards/guard.js';
import { need } from './guards/scopes.js';
import { readBody } from './http/read-body.js';
import type { Metrics } from './observe/metrics.js';
import { requestFacts } from './guards/request-facts.js';
import type { ServedRoute } from './routes/route.js';
import type { ServerLog } from '../domain/server-log.js';

export type HttpAppOptions = {
  readonly guard: Guard;
  readonly routes: readonly ServedRoute[];
  readonly log: ServerLog;
  readonly metrics?: Pick<Metrics, 'countRefusal'>;
  /** Handlers that see every request first, including requests that are refused. */
  readonly before?: readonly RequestHandler[];
};

/**
 * Guards run first, then the scope check, then the body is read, then the route runs. All failures have the same JSON form.
 * Paths outside the table need `admin` and answer 404, so forgetting a row never exposes anything.
 */
export function httpApp({ guard, routes, log, metrics, before = [] }: HttpAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  for (const handler of before) app.use(handler);
  app.use(async (request, response, next) => {
    await guard(request, response);
    // Express answers OPTIONS on its own.
    if (request.method === 'OPTIONS') need(principalOf(request), 'admin');
    next();
  });
  app.use(plainPosts(routes));
  app.use(routerOf(routes, { strict: true, caseSensitive: true }));
  // Express also accepts `/Tasks/` for `/tasks`. The table's scopes hold only for the exact paths; variants need `admin`.
  app.use(routerOf(routes.map((route) => ({ ...route, scope: 'admin' }))));
  app.use((...call) => serve(nothing, ...call));
  app.use(answerWithError(log, metrics?.countRefusal));
  return app;
}

/** Prompts and answers come by `POST` to a path without parameters, which needs no search. No such route passes a request on. */
function plainPosts(routes: readonly ServedRoute[]): RequestHandler {
  const plain = routes.filter(({ method, path }) => method === 'POST' && /^[/\w]+$/.test(path));
  // Of two with one path, the first counts, as in Express.
  const byPath = new Map(plain.toReversed().map((route) => [route.path, route]));
  return (request, response, next) => {
    const route = request.method === 'POST' ? byPath.get(request.path) : undefined;
    if (!route) return next();
    request.route = route;
    return serve(route, request, response, next);
  };
}

function routerOf(routes: readonly ServedRoute[], options: RouterOptions = {}): Router {
  const router = Router(options);
  for (const route of routes) {
    const place = router.route(route.path);
    const handle: RequestHandler = (...call) => serve(route, ...call);
    if (route.method === 'GET') place.get(handle);
    else if (route.method === 'POST') place.post(handle);
    else place.delete(handle);
  }
  return router;
}

type Served = Pick<ServedRoute, 'scope' | 'handle'>;

async function serve({ scope, handle }: Served, ...call: Parameters<RequestHandler>): Promise<void> {
  const [request, response] = call;
  need(principalOf(request), scope);
  // An earlier route may have read the body and passed the request on.
  if (request.method !== 'GET' && request.method !== 'HEAD' && request.body === undefined)
    request.body = await readBody(request, response);
  await handle(...call);
}

const nothing: Served = {
  scope: 'admin',
  handle(request) {
    throw new AppError('not-found', `no such route: ${request.method} ${request.path}`);
  },
};

function answerWithError(log: ServerLog, countRefusal?: Metrics['countRefusal']): ErrorRequestHandler {
  return (thrown, request, response, next) => {
    if (response.headersSent) return next(thrown);
    const error = fromExpress(thrown);
    countRefusal?.(error.code);
    const which = { ...requestFacts(request), path: request.path };
    if (error.code === 'internal') log.error('request failed', { ...which, cause: error.cause });
    else log.debug('request refused', { ...which, code: error.code, reason: error.message });
    const { status, body } = toA2AHttpError(error, request) ?? toHttpError(error);
    response.status(status).set(errorHeaders(error)).json(body);
  };
}

/** A path that Express cannot decode is a client error. */
function fromExpress(thrown: unknown): AppError {
  if (thrown instanceof URIError)
    return new AppError('bad-request', 'the path is not valid percent-encoding', { cause: thrown });
  return toAppError(thrown);
}

import type { IncomingMessage, ServerResponse } from 'node:http';
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
import { need, type Requirement } from './guards/scopes.js';
import { parseText } from './http/json-rpc.js';
import { limits, patienceMs } from './http/limits.js';
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
  app.use(routerOf(routes, { strict: true, caseSensitive: true }));
  // Express also accepts `/Tasks/` for `/tasks`. The table's scopes hold only for the exact paths; variants need `admin`.
  app.use(routerOf(routes.map((route) => ({ ...route, scope: 'admin' }))));
  app.use(needs('admin'), readJson, (request) => {
    throw new AppError('not-found', `no such route: ${request.method} ${request.path}`);
  });
  app.use(answerWithError(log, metrics?.countRefusal));
  return app;
}

function routerOf(routes: readonly ServedRoute[], options: RouterOptions = {}): Router {
  const router = Router(options);
  for (const { method, path, scope, handle } of routes) {
    const place = router.route(path);
    const steps = [needs(scope), readJson, handle];
    if (method === 'GET') place.get(steps);
    else if (method === 'POST') place.post(steps);
    else place.delete(steps);
  }
  return router;
}

function needs(scope: Requirement): RequestHandler {
  return (request, _response, next) => {
    need(principalOf(request), scope);
    next();
  };
}

/** Reads a JSON body within the limits. Express's own parser does not limit depth. */
const readJson: RequestHandler = async (request, response, next) => {
  // An earlier route may have read the body and passed the request on.
  if (request.method === 'GET' || request.method === 'HEAD' || request.body !== undefined) return next();
  request.body = await bodyOf(request, response).catch((error: unknown) => {
    throw request.destroyed && !(error instanceof AppError) ? cutOff(error) : error;
  });
  next();
};

async function bodyOf(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const { socket } = request;
  const stalled = new Promise<never>((_resolve, reject) => {
    const why = `the body stalled: no data for ${patienceMs / 1000} s`;
    request.setTimeout(patienceMs, () => reject(new AppError('bad-request', why)));
  });
  try {
    const text = (await Promise.race([bytesOf(request), stalled])).toString('utf8');
    const maxValues = /^\/acp\b/i.test(request.url ?? '') ? limits.acpValues : limits.jsonValues;
    return text.trim() === '' ? {} : parseText(text, maxValues);
  } catch (error) {
    // The rest of the body would be read as the next request, or never arrive.
    if (!request.complete) response.setHeader('connection', 'close');
    throw error;
  } finally {
    socket.setTimeout(0);
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limits.messageBytes)
      throw new AppError('too-large', `the body is larger than ${limits.messageBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

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

/** The client disconnected while sending. This is not an internal error, and nobody is left to receive a reply. */
function cutOff(cause: unknown): AppError {
  return new AppError('bad-request', 'the request ended too early', { cause });
}

/** A path that Express cannot decode is a client error. */
function fromExpress(thrown: unknown): AppError {
  if (thrown instanceof URIError)
    return new AppError('bad-request', 'the path is not valid percent-encoding', { cause: thrown });
  return toAppError(thrown);
}

import { restHandler } from '@a2a-js/sdk/server/express';
import { type Request, type RequestHandler, Router } from 'express';
import { AppError } from '../../domain/errors.js';
import { contextBuilder, isLegacy, normaliseHeaders } from './call-context.js';
import { cardRoutes } from './card-routes.js';
import { type Connection, httpConnection } from './connection.js';
import { restForms } from './forms.js';
import { jsonRpcEndpoint, type JsonRpcEndpointOptions } from './json-rpc-endpoint.js';
import { checkShape, createPushShape, sendShape } from './params-shape.js';
import { takeOverStream } from './rest-stream.js';

/** Standard A2A over HTTP: the card, JSON-RPC at `/`, HTTP+JSON below `/a2a/rest`; v1.0 and v0.3 by header. */
export function a2aRoutes(options: JsonRpcEndpointOptions): Router {
  const router = Router();
  router.use(normaliseHeaders);
  router.use(cardRoutes(options.card));
  router.post('/', jsonRpcEndpoint(options));
  router.use('/a2a/rest', ...restRoutes(options));
  return router;
}

function restRoutes({ handler }: JsonRpcEndpointOptions): RequestHandler[] {
  const connections = new WeakMap<Request, Connection>();
  const forms = restForms();
  const open: RequestHandler = (request, response, next) => {
    checkBody(request);
    const connection = httpConnection('rest', request, response);
    connections.set(request, connection);
    const isSend = request.path.endsWith(':stream');
    if (isSend || request.path.endsWith(':subscribe')) {
      const form = isLegacy(request) ? (isSend ? forms.v03Send : forms.v03) : forms.v1;
      takeOverStream(request, response, connection, form);
    }
    next();
  };
  const userBuilder = (request: Request): Promise<Connection> => {
    const connection = connections.get(request);
    return connection
      ? Promise.resolve(connection)
      : Promise.reject(new Error('the request has not passed the transport'));
  };
  return [open, restHandler({ requestHandler: handler, userBuilder, contextBuilder, legacyCompat: { enabled: true } })];
}

/** Protocol buffers read whatever they are given, or fall over it: what they get is checked first. */
function checkBody({ path, body }: Request): void {
  if (body === undefined || body === null) return;
  if (typeof body !== 'object' || Array.isArray(body))
    throw new AppError('bad-request', 'the body must be a JSON object');
  if (/\/message:(?:send|stream)$/.test(path)) checkShape(sendShape, body);
  else if (path.endsWith('/pushNotificationConfigs')) checkShape(createPushShape, body);
}

import { Router } from 'express';
import { normaliseHeaders } from './calls/call-context.js';
import { cardRoutes } from './card/card-routes.js';
import { httpJsonRoutes } from './http-json/http-json-routes.js';
import { jsonRpcEndpoint, type JsonRpcEndpointOptions } from './json-rpc/endpoint.js';

/** Standard A2A over HTTP: the card, JSON-RPC at `/`, HTTP+JSON below `/a2a/rest`; v1.0 and v0.3 by header. */
export function a2aRoutes(options: JsonRpcEndpointOptions): Router {
  const { operations } = options;
  const router = Router();
  router.use(normaliseHeaders);
  router.use(cardRoutes(operations.card));
  router.post('/', jsonRpcEndpoint(options));
  router.use('/a2a/rest', httpJsonRoutes(operations));
  return router;
}

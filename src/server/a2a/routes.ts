import { Router } from 'express';
import { normaliseHeaders } from './calls/call-context.js';
import { cardRoutes } from './card/card-routes.js';
import { httpJsonRoutes } from './http-json/http-json-routes.js';
import type { Operations } from './operations/operations.js';

/** Standard A2A over HTTP, v1.0 and v0.3 by header: the card, and HTTP+JSON below `/a2a/rest`. */
export function a2aRoutes(operations: Operations): Router {
  const router = Router();
  router.use((request, _response, next) => {
    normaliseHeaders(request);
    next();
  });
  router.use(cardRoutes(operations.card));
  router.use('/a2a/rest', httpJsonRoutes(operations));
  return router;
}

import type { RequestHandler } from 'express';
import { requestFacts } from '../guards/request-facts.js';
import { knownPrincipal } from '../guards/admission.js';
import { isProbe } from './probes.js';
import { routeOf } from './route-of.js';
import type { ServerLog } from '../../domain/server-log.js';

/** One line per answered request, without query, headers and body, which may contain secrets. */
export function logRequests(log: ServerLog): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.once('close', () => {
      const route = routeOf(request);
      log[isProbe(route) ? 'debug' : 'info']('request', {
        taskId: request.params['taskId'],
        ...requestFacts(request),
        method: request.method,
        route,
        status: response.statusCode,
        ms: Math.round(performance.now() - startedAt),
        ...(response.writableFinished ? {} : { isCutOff: true }),
        ...knownPrincipal(request),
      });
    });
    next();
  };
}

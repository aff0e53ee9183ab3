import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { RequestHandler } from 'express';
import { isProbe } from './probes.js';
import { requestFacts } from '../guards/request-facts.js';
import { routeOf } from './route-of.js';
import { defined } from '../../util/defined.js';

/** Reads headers. `traceparent` may have only one value. */
const headers = {
  get: (carrier: NodeJS.Dict<string | string[]>, key: string) => carrier[key],
  keys: (carrier: NodeJS.Dict<string | string[]>) => Object.keys(carrier),
};

/** The span of the current request, available throughout its async work. */
export const requestTrace = new AsyncLocalStorage<Context>();

/** A span per HTTP request, a child of the caller's if it sent a `traceparent` (W3C Trace Context). */
export function traceRequests(tracer: Tracer): RequestHandler {
  const propagator = new W3CTraceContextPropagator();
  return (request, response, next) => {
    if (isProbe(request.path)) return next();
    const { method } = request;
    const caller = propagator.extract(ROOT_CONTEXT, request.headers, headers);
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, caller);
    response.once('close', () => {
      const { requestId, taskId } = requestFacts(request) ?? {};
      const [route, status] = [routeOf(request), response.statusCode];
      span.updateName(`${method} ${route}`);
      span.setAttributes({
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        ...defined({ 'cosession.request.id': requestId, 'cosession.task.id': taskId }),
      });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    requestTrace.run(trace.setSpan(caller, span), next);
  };
}

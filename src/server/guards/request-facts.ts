import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { RequestFacts } from '../../auth/principal.js';

/** Kept with the request and not in an `AsyncLocalStorage`: one of those slows down every promise of the process. */
const facts = new WeakMap<IncomingMessage, RequestFacts>();

/** Runs before all routes. Gives every request an id, or keeps the caller's own. */
export const giveRequestId: RequestHandler = (request, response, next) => {
  const requestId = toRequestId(request.get('x-request-id'));
  response.set('x-request-id', requestId);
  facts.set(request, { requestId });
  next();
};

/** Undefined for requests that have no id, such as those of a live endpoint. */
export function requestFacts(request: IncomingMessage): RequestFacts | undefined {
  return facts.get(request);
}

/** Ids go into logs and headers, so an id that is too long or has unusual characters is replaced. */
function toRequestId(given: string | undefined): string {
  return given !== undefined && /^[\w.:+/=@-]{1,128}$/.test(given) ? given : randomUUID();
}

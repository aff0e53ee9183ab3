import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Context } from '@opentelemetry/api';
import type { RequestHandler } from 'express';

/** What is known about the current request, available throughout its async work. */
export type RequestContext = {
  readonly requestId: string;
  /** The task it is about, once known. */
  taskId?: string;
  /** Its span, if tracing is on. */
  trace?: Context;
};

export const requestStorage = new AsyncLocalStorage<RequestContext>();

/** Runs before all routes. Gives every request an id, or keeps the caller's own. */
export const giveRequestId: RequestHandler = (request, response, next) => {
  const requestId = toRequestId(request.get('x-request-id'));
  response.set('x-request-id', requestId);
  requestStorage.run({ requestId }, next);
};

/** Ids go into logs and headers, so an id that is too long or has unusual characters is replaced. */
function toRequestId(given: string | undefined): string {
  return given !== undefined && /^[\w.:+/=@-]{1,128}$/.test(given) ? given : randomUUID();
}

/** Records that the current request is about this task. */
export function noteTask(taskId: string): void {
  const context = requestStorage.getStore();
  if (context) context.taskId = taskId;
}

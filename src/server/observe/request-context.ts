import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Context } from '@opentelemetry/api';
import type { RequestHandler } from 'express';

/** What is known of the request that is being answered, wherever its work leads. */
export type RequestContext = {
  readonly requestId: string;
  /** The task it is about, once that is known. */
  taskId?: string;
  /** Its span, where traces are wanted. */
  trace?: Context;
};

export const requestStorage = new AsyncLocalStorage<RequestContext>();

/** Stands before all routes: gives every request an id, the caller's own if it brings one. */
export const giveRequestId: RequestHandler = (request, response, next) => {
  const requestId = toRequestId(request.get('x-request-id'));
  response.set('x-request-id', requestId);
  requestStorage.run({ requestId }, next);
};

/** Ids go into logs and headers: what is too long or strange for that is replaced. */
function toRequestId(given: string | undefined): string {
  return given !== undefined && /^[\w.:+/=@-]{1,128}$/.test(given) ? given : randomUUID();
}

/** The request that is being answered is about this task. */
export function noteTask(taskId: string): void {
  const context = requestStorage.getStore();
  if (context) context.taskId = taskId;
}

import type { Request } from 'express';
import type { AppError } from '../../domain/errors.js';
import { errorTable } from '../error-table.js';
import { rpcError } from '../json-rpc.js';

type HttpError = { readonly status: number; readonly body: object };

/** What fails before a transport of A2A has the request, such as a body that is not JSON, in the form of that transport. */
export function toA2AHttpError(
  error: AppError,
  { method, path }: Pick<Request, 'method' | 'path'>,
): HttpError | undefined {
  const { http, rpc } = errorTable[error.code];
  if (path.startsWith('/a2a/rest/v1/')) return { status: http, body: { code: rpc, message: error.message } };
  if (method === 'POST' && path === '/') return { status: http, body: rpcError(null, error) };
  return path.startsWith('/a2a/rest/') ? { status: http, body: { error: toStatus(error, http) } } : undefined;
}

/** A2A 11.6: `google.rpc.Status` as JSON. */
function toStatus({ code, message, details }: AppError, http: number): object {
  const metadata = Object.fromEntries(Object.entries(details).map(([key, value]) => [key, JSON.stringify(value)]));
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: code.toUpperCase().replaceAll('-', '_'),
    domain: 'a2a-protocol.org',
    metadata,
  };
  return { code: http, status: statusNames[http] ?? 'UNKNOWN', message, details: [info] };
}

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'FAILED_PRECONDITION',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

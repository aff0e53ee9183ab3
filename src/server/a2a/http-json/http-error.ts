import type { Request } from 'express';
import type { AppError } from '../../../domain/errors.js';
import { errorData } from '../../http/error-data.js';
import { errorTable } from '../../http/error-table.js';
import { rpcError } from '../../http/json-rpc.js';

export type HttpError = { readonly status: number; readonly body: object };

/** Errors before an A2A transport gets the request, such as a body that is not JSON, in the form of that transport. */
export function toA2AHttpError(
  error: AppError,
  { method, path }: Pick<Request, 'method' | 'path'>,
): HttpError | undefined {
  if (path.startsWith('/a2a/rest/v1/')) return toHttpErrorV03(error);
  if (method === 'POST' && path === '/') return { status: errorTable[error.code].http, body: rpcError(null, error) };
  return path.startsWith('/a2a/rest/') ? toHttpErrorV1(error) : undefined;
}

export function toHttpErrorV03({ code, message }: AppError): HttpError {
  const { http, rpc } = errorTable[code];
  return { status: http, body: { code: rpc, message } };
}

/** A2A 11.6: `google.rpc.Status` as JSON. */
export function toHttpErrorV1(failure: AppError): HttpError {
  const { code, message } = failure;
  const { http } = errorTable[code];
  const facts = Object.entries(errorData(failure));
  const metadata = Object.fromEntries(facts.map(([key, value]) => [key, JSON.stringify(value)]));
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: code.toUpperCase().replaceAll('-', '_'),
    domain: 'a2a-protocol.org',
    metadata,
  };
  const error = { code: http, status: statusNames[http] ?? 'UNKNOWN', message, details: [info] };
  return { status: http, body: { error } };
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

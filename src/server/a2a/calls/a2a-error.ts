import {
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import { type AppError, toAppError } from '../../../domain/errors.js';
import { errorData } from '../../http/error-data.js';
import { errorTable } from '../../http/error-table.js';
import type { Transport } from './caller.js';

/** An error of the hub as an A2A error. Codes that A2A lacks keep our own number, with the details in `ErrorInfo`. */
export function toA2AError(thrown: unknown, transport: Transport): Error {
  if (isA2AError(thrown)) return thrown;
  const error = toAppError(thrown);
  const metadata = { code: error.code, ...asStrings(errorData(error)) };
  const options = { message: error.message, metadata, cause: error };
  switch (error.code) {
    case 'bad-request':
      return new RequestMalformedError(options);
    case 'unknown-task':
      return new TaskNotFoundError(options);
    case 'not-cancelable':
      return new TaskNotCancelableError(options);
    default:
      return Object.assign(new UnsupportedOperationError(options), numberOn(error, transport));
  }
}

export function isA2AError(thrown: unknown): thrown is Error {
  return thrown instanceof Error && 'reason' in thrown;
}

/** The SDK's transports read these fields from such errors. v0.3 shows `data` unchanged. */
function numberOn(error: AppError, transport: Transport): object {
  const { code } = error;
  const { http, rpc } = errorTable[code];
  if (transport === 'jsonrpc') return { transport, envelopeCode: rpc, data: { code, ...errorData(error) } };
  if (transport === 'rest') return { transport, statusCode: http };
  const status = grpcStatuses[http];
  return status === undefined ? {} : { transport, status };
}

/** HTTP status to gRPC status: PERMISSION_DENIED and UNAVAILABLE. */
const grpcStatuses: Readonly<Record<number, number>> = { 403: 7, 503: 14 };

function asStrings(facts: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(facts).map(([key, value]): [string, string] => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

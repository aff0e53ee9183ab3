import { RequestError } from '@agentclientprotocol/sdk';
import { toAppError } from '../../domain/errors.js';
import { errorData } from '../http/error-data.js';
import { errorTable } from '../http/error-table.js';
import type { ServerLog } from '../../domain/server-log.js';

/** Does the work of a request and turns its failures into ACP errors. */
export function answering(log: ServerLog) {
  return async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (thrown) {
      throw toRequestError(thrown, log);
    }
  };
}

/** An error as ACP clients see it. Uses the numbers of the other JSON-RPC transports, except where ACP has its own. */
function toRequestError(thrown: unknown, log: ServerLog): RequestError {
  if (thrown instanceof RequestError) return thrown;
  const error = toAppError(thrown);
  if (error.code === 'internal') log.error('ACP request failed', { cause: error.cause });
  return new RequestError(errorTable[error.code].rpc, error.message, { code: error.code, ...errorData(error) });
}

import { RequestError } from '@agentclientprotocol/sdk';
import { toAppError } from '../../domain/errors.js';
import { errorTable } from '../error-table.js';
import type { ServerLog } from '../server-log.js';

/** A failure as ACP clients see it: the numbers of the other JSON-RPC transports, save for ACP's own. */
export function toRequestError(thrown: unknown, log: ServerLog): RequestError {
  if (thrown instanceof RequestError) return thrown;
  const error = toAppError(thrown);
  if (error.code === 'internal') log.error('ACP request failed', { cause: error.cause });
  return new RequestError(errorTable[error.code].rpc, error.message, { code: error.code, ...error.details });
}

import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { JsonRpcTransportHandler } from '@a2a-js/sdk/server';
import { toAppError } from '../../../domain/errors.js';
import { errorTable } from '../../http/error-table.js';
import { type JsonRpcId, rpcError } from '../../http/json-rpc.js';
import { isA2AError, toA2AError } from '../calls/a2a-error.js';

/** Any failure as an error in the requested version. v1.0 puts the details in `ErrorInfo` (A2A 9.5). */
export function toErrorEnvelope(
  id: JsonRpcId,
  thrown: unknown,
  isLegacy: boolean,
  onInternal: (cause: unknown) => void,
): object {
  if (isA2AError(thrown)) {
    const error = isLegacy
      ? LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(thrown)
      : JsonRpcTransportHandler.mapToJSONRPCError(thrown);
    return { jsonrpc: '2.0', id: id ?? null, error };
  }
  const error = toAppError(thrown);
  if (error.code === 'internal') onInternal(error.cause);
  if (isLegacy) return rpcError(id, error);
  const mapped = JsonRpcTransportHandler.mapToJSONRPCError(toA2AError(error, 'jsonrpc'));
  return { jsonrpc: '2.0', id: id ?? null, error: { ...mapped, code: errorTable[error.code].rpc } };
}

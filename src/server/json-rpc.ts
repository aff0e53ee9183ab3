import * as z from 'zod';
import { AppError } from '../domain/errors.js';
import { parseJson } from '../util/parse-json.js';
import { errorTable } from './error-table.js';
import { limits } from './limits.js';

const idSchema = z.union([z.string(), z.number(), z.null()]);
const requestSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: idSchema.optional(),
  method: z.string(),
  params: z.unknown().optional(),
});

export type JsonRpcRequest = z.infer<typeof requestSchema>;
export type JsonRpcId = string | number | null | undefined;

export function parseText(text: string): unknown {
  try {
    return parseJson(text, limits.jsonDepth);
  } catch (cause) {
    throw new AppError('parse-error', `not JSON: ${cause instanceof Error ? cause.message : 'unreadable'}`, { cause });
  }
}

export function parseRequest(value: unknown): JsonRpcRequest {
  const parsed = requestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new AppError('invalid-request', 'expected one JSON-RPC object: {"jsonrpc":"2.0","id"?,"method","params"?}');
}

/** The id of a request that may be broken elsewhere, so that its error can still be matched. */
export function idOf(value: unknown): JsonRpcId {
  const given = z.object({ id: idSchema }).safeParse(value);
  return given.success ? given.data.id : undefined;
}

export function rpcResult(id: JsonRpcId, result: unknown): object {
  return { jsonrpc: '2.0', id: id ?? null, result };
}

export function rpcError(id: JsonRpcId, { code, message, details }: AppError): object {
  const data = Object.keys(details).length === 0 ? { code } : { code, ...details };
  return { jsonrpc: '2.0', id: id ?? null, error: { code: errorTable[code].rpc, message, data } };
}

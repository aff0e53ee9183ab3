import * as z from 'zod';
import { AppError } from '../../domain/errors.js';
import { jsonSize } from '../../util/json-size.js';
import { errorData } from './error-data.js';
import { errorTable } from './error-table.js';
import { limits } from './limits.js';

const idSchema = z.union([z.string(), z.number(), z.null()]);
export const rpcRequest = z.object({
  jsonrpc: z.literal('2.0'),
  id: idSchema.optional(),
  method: z.string(),
  params: z.unknown().optional(),
});

/** The shape of what `rpcResult` and `rpcError` return. */
export const rpcReply = z.object({
  jsonrpc: z.literal('2.0'),
  id: idSchema,
  result: z.unknown().optional(),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
});

export type JsonRpcRequest = z.infer<typeof rpcRequest>;
export type JsonRpcId = string | number | null | undefined;

export function parseText(text: string, maxValues: number = limits.jsonValues): unknown {
  checkSize(text, maxValues);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('parse-error', `not JSON: ${cause instanceof Error ? cause.message : 'unreadable'}`, { cause });
  }
}

/** Throws if the text is nested too deep or has too many values, because processing it would delay all other clients. */
function checkSize(text: string, maxValues: number): void {
  const { depth, values } = jsonSize(text);
  if (depth > limits.jsonDepth)
    throw new AppError('parse-error', `not JSON: nested deeper than ${limits.jsonDepth} levels`);
  if (values > maxValues) throw new AppError('too-large', `the JSON has more than ${maxValues} values`);
}

export function parseRequest(value: unknown): JsonRpcRequest {
  const parsed = rpcRequest.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new AppError('invalid-request', 'expected one JSON-RPC object: {"jsonrpc":"2.0","id"?,"method","params"?}');
}

/** The id of a request that may be invalid otherwise. The client needs it to match the error. */
export function idOf(value: unknown): JsonRpcId {
  const given = z.object({ id: idSchema }).safeParse(value);
  return given.success ? given.data.id : undefined;
}

export function rpcResult(id: JsonRpcId, result: unknown): object {
  return { jsonrpc: '2.0', id: id ?? null, result };
}

export function rpcError(id: JsonRpcId, error: AppError): object {
  const { code, message } = error;
  const data = { code, ...errorData(error) };
  return { jsonrpc: '2.0', id: id ?? null, error: { code: errorTable[code].rpc, message, data } };
}

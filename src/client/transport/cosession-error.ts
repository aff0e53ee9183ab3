import type { ErrorCode } from '../../domain/errors.js';
import { toRecord } from './replies.js';

/** Errors on the client's side of the connection. */
export type ConnectionErrorCode =
  /** Nothing answers at the address, or it is not a Cosession endpoint. */
  | 'cannot-connect'
  /** The connection broke before the reply arrived: the request may or may not have been carried out. */
  | 'disconnected'
  /** The session has ended, or its terminal no longer shares it; the message says which. */
  | 'ended'
  /** `close()` was called. */
  | 'closed'
  /** An iterator was read too slowly. */
  | 'overflow'
  /** The connection was lost for too long: the server no longer has the missed events. */
  | 'events-lost'
  /** Another session now answers at this address. */
  | 'other-session';

export type CosessionErrorCode = ErrorCode | ConnectionErrorCode;

/** Every error of this library, with the endpoint's codes (docs/errors.md) and those of the connection. */
export class CosessionError extends Error {
  override readonly name = 'CosessionError';
  readonly code: CosessionErrorCode;
  /** Facts that a program can act on, such as who answered first. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: CosessionErrorCode, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Converts the error of a JSON-RPC reply. Its number belongs to the transport; the meaningful code is in its data. */
export function fromWireError(error: unknown): CosessionError {
  const { message, data } = toRecord(error);
  const { code, ...facts } = toRecord(data);
  const text = typeof message === 'string' ? message : 'the endpoint refused without a reason';
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a newer server may know codes that the type does not
  return new CosessionError(typeof code === 'string' ? (code as CosessionErrorCode) : 'internal', text, facts);
}

import type { ErrorCode } from '../domain/errors.js';
import { toRecord } from './replies.js';

/** What can go wrong on this side of the connection. */
export type ConnectionErrorCode =
  /** Nothing answers there, or it is not a Cosession endpoint. */
  | 'cannot-connect'
  /** The connection broke before the reply came: it may or may not have been done. */
  | 'disconnected'
  /** `close()` was called. */
  | 'closed'
  /** An iterator was read too slowly. */
  | 'overflow'
  /** The connection was away for so long that the server no longer has what was missed. */
  | 'events-lost'
  /** Another session answers at this address now. */
  | 'other-session';

export type CosessionErrorCode = ErrorCode | ConnectionErrorCode;

/** Every failure of this library: the endpoint's own codes (docs/errors.md) and those of the connection. */
export class CosessionError extends Error {
  override readonly name = 'CosessionError';
  readonly code: CosessionErrorCode;
  /** Facts a program can act on, for instance who answered first. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: CosessionErrorCode, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The error of a JSON-RPC reply: its number is the transport's, the code that means something is in its data. */
export function fromWireError(error: unknown): CosessionError {
  const { message, data } = toRecord(error);
  const { code, ...facts } = toRecord(data);
  const text = typeof message === 'string' ? message : 'the endpoint refused without a reason';
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a newer server may know codes that the type does not
  return new CosessionError(typeof code === 'string' ? (code as CosessionErrorCode) : 'internal', text, facts);
}

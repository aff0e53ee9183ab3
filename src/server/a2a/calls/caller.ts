import type { ServerCallContext } from '@a2a-js/sdk/server';
import type { Principal } from '../../../auth/principal.js';
import type { Reader } from '../streams/reader.js';

/** Who calls an operation, and what its request says beside the parameters. */
export type Caller = {
  readonly transport: Transport;
  readonly principal: Principal;
  /** The name shown to others. */
  readonly client?: string;
  /** The event after which its stream goes on. */
  readonly lastEventId?: number;
  /** The version of A2A, the extensions that the request names, and those that are in force for the answer. */
  readonly context: ServerCallContext;
  readonly reader: Reader;
};

export type Transport = 'jsonrpc' | 'rest' | 'grpc';

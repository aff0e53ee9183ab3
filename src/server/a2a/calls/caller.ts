import type { ServerCallContext } from '@a2a-js/sdk/server';
import type { Principal } from '../../../auth/principal.js';
import type { Reader } from '../streams/reader.js';

/** Who calls an operation, and what the request contains besides the parameters. */
export type Caller = {
  readonly transport: Transport;
  readonly principal: Principal;
  /** The name shown to others. */
  readonly client?: string;
  /** The event after which its stream continues. */
  readonly lastEventId?: number;
  /** The A2A version, the extensions named in the request, and those active for the response. */
  readonly context: ServerCallContext;
  readonly reader: Reader;
};

export type Transport = 'jsonrpc' | 'rest' | 'grpc';

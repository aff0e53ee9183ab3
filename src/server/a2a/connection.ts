import type { IncomingMessage, ServerResponse } from 'node:http';
import type { User } from '@a2a-js/sdk/server';
import type { Principal } from '../../auth/principal.js';
import { toCursor } from '../caller.js';
import { principalOf } from '../guards/admission.js';
import type { StreamWriter } from './stream-writer.js';

/**
 * What the request handler must know of the caller beyond the protocol: when it is gone, when it can take more, and where
 * its stream stands. The SDK's transports pass it through as the user.
 */
export type Connection = User & {
  readonly transport: 'jsonrpc' | 'rest' | 'grpc';
  readonly principal: Principal;
  readonly isClosed: boolean;
  /** The name shown to others. */
  readonly client?: string;
  readonly lastEventId?: number;
  /** What the first event of a stream comes after; becomes its id. */
  seq: number;
  /** Takes what follows the first event of a stream. */
  writer?: StreamWriter;
  onClose(run: () => void): void;
  /** Resolves when the caller has read enough of what was sent. Undefined: at once. */
  drained(): Promise<void> | undefined;
};

/** A stream that can be written to and closes: an HTTP response or a gRPC call. */
export type Sink = {
  readonly writableNeedDrain: boolean;
  readonly destroyed: boolean;
  once(event: 'drain' | 'close' | 'cancelled', listener: () => void): unknown;
  off(event: 'drain' | 'close' | 'cancelled', listener: () => void): unknown;
};

type Options = Pick<Connection, 'transport' | 'principal' | 'client' | 'lastEventId' | 'writer'>;

export function openConnection(sink: Sink, options: Options): Connection {
  let isClosed = sink.destroyed;
  const listeners = new Set<() => void>();
  const close = (): void => {
    isClosed = true;
    for (const listener of listeners) listener();
    listeners.clear();
  };
  sink.once('close', close);
  sink.once('cancelled', close);
  return {
    ...options,
    isAuthenticated: options.principal.via !== 'nothing',
    userName: options.principal.id,
    seq: 0,
    get isClosed() {
      return isClosed;
    },
    onClose(run) {
      if (isClosed) run();
      else listeners.add(run);
    },
    drained() {
      if (!sink.writableNeedDrain || isClosed) return undefined;
      return new Promise((resolve) => {
        const done = (): void => {
          sink.off('drain', done);
          sink.off('close', done);
          resolve();
        };
        sink.once('drain', done);
        sink.once('close', done);
      });
    },
  };
}

export function httpConnection(
  transport: 'jsonrpc' | 'rest',
  request: IncomingMessage,
  response: ServerResponse,
): Connection {
  const client = request.headers['user-agent'];
  const lastEventId = toCursor(request.headers['last-event-id']);
  return openConnection(response, {
    transport,
    principal: principalOf(request),
    ...(client === undefined ? {} : { client }),
    ...(lastEventId === undefined ? {} : { lastEventId }),
  });
}

/** The connection behind a call; the SDK types it as a user. */
export function connectionOf(user: User | undefined): Connection | undefined {
  return user !== undefined && isConnection(user) ? user : undefined;
}

function isConnection(user: User): user is Connection {
  return 'drained' in user;
}

import type { ConnectionState } from './connection.js';
import { CosessionError } from './cosession-error.js';
import { socketUrl } from './endpoint.js';
import { ClientSession } from './session.js';
import { type WebSocketClass, webSocketClass } from './web-socket.js';
import { defined } from '../util/defined.js';

export type ConnectOptions = {
  /** The endpoint as `cosession ls` shows it, or its WebSocket address. */
  readonly url?: string;
  /** A port on this machine, instead of the url. */
  readonly port?: number;
  readonly token?: string;
  /** The name that the terminal and other clients see. */
  readonly client?: string;
  /** The class to connect with; by default the global one. */
  readonly WebSocket?: WebSocketClass;
  /** How long to keep reconnecting after the connection is lost; default forever. */
  readonly giveUpAfterMs?: number;
  /** `error` is the reason if the session was closed for good. */
  readonly onState?: (state: ConnectionState, error?: CosessionError) => void;
};

/** How long to wait for an endpoint to answer. */
const patienceMs = 10_000;

/** Joins a live session. Rejects if nothing answers. If the connection is lost later, it reconnects by itself. */
export function connect(options: ConnectOptions): Promise<ClientSession> {
  return new Promise((resolve, reject) => {
    const { token, client, giveUpAfterMs, onState } = options;
    const url = socketUrl(options);
    const session = new ClientSession({
      endpoint: {
        url,
        WebSocket: webSocketClass(options.WebSocket),
        ...defined({ token, client }),
      },
      ...defined({ giveUpAfterMs }),
      onState(state, error) {
        clearTimeout(timer);
        onState?.(state, error);
        if (state === 'open') resolve(session);
        else if (error) reject(error);
      },
    });
    const timer = setTimeout(() => {
      reject(new CosessionError('cannot-connect', `${url.href} did not answer within ${patienceMs / 1000} s`));
      session.close();
    }, patienceMs);
  });
}

import type { ConnectionState } from './connection.js';
import { CosessionError } from './cosession-error.js';
import { socketUrl } from './endpoint.js';
import { ClientSession } from './session.js';
import { type WebSocketClass, webSocketClass } from './web-socket.js';
import { defined } from '../util/defined.js';

export type ConnectOptions = {
  /** The endpoint as `cosession ls` shows it, or its WebSocket. */
  readonly url?: string;
  /** Instead of the url: a port of this machine. */
  readonly port?: number;
  readonly token?: string;
  /** The name that the terminal and other clients see. */
  readonly client?: string;
  /** The class to connect with; the global one unless told. */
  readonly WebSocket?: WebSocketClass;
  /** How long a lost connection is tried again; for ever unless told. */
  readonly giveUpAfterMs?: number;
  /** With the reason when the session is closed for good. */
  readonly onState?: (state: ConnectionState, error?: CosessionError) => void;
};

/** How long an endpoint may take to answer at all. */
const patienceMs = 10_000;

/** Joins a live session. Rejects when nothing answers; a connection that is lost later comes back by itself. */
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

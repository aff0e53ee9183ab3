import type { ConnectionState } from './connection.js';
import { CosessionError } from './transport/cosession-error.js';
import { socketUrl } from './transport/endpoint.js';
import type { HistoryOptions } from './history.js';
import type { Fetch } from './transport/fetch.js';
import { ClientSession } from './session.js';
import { type WebSocketClass, webSocketClass } from './transport/web-socket.js';
import { defined } from '../util/defined.js';

export type ConnectOptions = {
  /** The endpoint as `cosession ls` shows it, or its WebSocket address. */
  readonly url?: string;
  /** A port on this machine, instead of the url. */
  readonly port?: number;
  /** The task of a server that has many, such as `cosession serve`. */
  readonly taskId?: string;
  readonly token?: string;
  /** In a page of the endpoint: the key that it got when it was paired. */
  readonly pageKey?: string;
  /** The name that the terminal and other clients see. */
  readonly client?: string;
  /** The `seq` of the last event you have. `watch()` then starts with a snapshot and all events after this one. */
  readonly after?: number;
  /** Every snapshot of `watch()` comes with the newest turns of the conversation. */
  readonly history?: Pick<HistoryOptions, 'turns'>;
  /** The class to connect with; by default the global one. */
  readonly WebSocket?: WebSocketClass;
  /** How to send plain requests; by default the global `fetch`. */
  readonly fetch?: Fetch;
  /** Only in Node: trust this certificate (PEM) of the endpoint, and no other. `cosession ls --json` shows it. */
  readonly certificate?: string;
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
    const { token, pageKey, client, after, history, giveUpAfterMs, onState } = options;
    if (after !== undefined && history) {
      throw new CosessionError('bad-request', 'give connect either "after" or "history": both start the same stream');
    }
    const url = socketUrl(options);
    const session = new ClientSession({
      endpoint: {
        url,
        WebSocket: webSocketClass(options.WebSocket),
        // Browsers refuse to call their own as a method of another object.
        fetch: options.fetch ?? ((address, details) => fetch(address, details)),
        ...defined({ token, pageKey, client }),
      },
      ...defined({ after, history, giveUpAfterMs }),
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

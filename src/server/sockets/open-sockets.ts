import type { WebSocket } from 'ws';
import type { Principal } from '../../auth/principal.js';
import { finalCloseCode } from '../../domain/final-close.js';
import { goneCode, movedCode } from '../http/close-codes.js';
import { limits } from '../http/limits.js';
import { type Holder, Places } from '../http/places.js';
import type { ServerLog } from '../../domain/server-log.js';

/** A client that answers no ping for this long is disconnected. */
const pingMs = 30_000;
/** How long a dismissed client may take to close before its buffers are freed. */
export const graceMs = 2000;

/** The open sockets: limits their number, pings them and closes them. */
export class OpenSockets {
  readonly #places = new Places({ limit: limits.webSockets, what: 'WebSockets' });
  readonly #answered = new Map<WebSocket, boolean>();
  readonly #pings = setInterval(() => this.#ping(), pingMs).unref();
  readonly #log: ServerLog;
  readonly #restartCode: number;

  /** `hasHeirs`: whether clients that connect again reach another server at once. */
  constructor(log: ServerLog, hasHeirs: boolean) {
    this.#log = log;
    this.#restartCode = hasHeirs ? movedCode : goneCode;
  }

  checkRoom(principal: Principal): void {
    this.#places.check(principal);
  }

  /** Takes a place for a connection that is about to become a WebSocket. */
  reserve(principal: Principal, connection: Holder): void {
    this.#places.hold(principal, connection);
  }

  add(webSocket: WebSocket): void {
    this.#answered.set(webSocket, true);
    webSocket.on('pong', () => this.#answered.set(webSocket, true));
    webSocket.once('close', () => this.#answered.delete(webSocket));
    webSocket.on('error', (error) => this.#log.debug('socket error', { error: error.message }));
  }

  /** Dismisses all clients: for good if there is a reason why they need not come back. */
  close(forGood?: string): void {
    clearInterval(this.#pings);
    for (const webSocket of this.#answered.keys())
      if (forGood === undefined) dismiss(webSocket, this.#restartCode, 'the server is shutting down: connect again');
      else dismiss(webSocket, finalCloseCode, forGood);
  }

  #ping(): void {
    for (const [webSocket, isAlive] of this.#answered) {
      if (!isAlive) webSocket.terminate();
      else {
        this.#answered.set(webSocket, false);
        webSocket.ping();
      }
    }
  }
}

/** Closes a client's socket. Anything it still sends is ignored. */
export function dismiss(webSocket: WebSocket, code: number, reason: string): void {
  webSocket.removeAllListeners('message');
  webSocket.close(code, reason);
  setTimeout(() => webSocket.terminate(), graceMs).unref();
}

import type { WebSocket } from 'ws';
import { AppError } from '../../domain/errors.js';
import { limits } from '../http/limits.js';
import type { ServerLog } from '../../domain/server-log.js';

/** A client that answers no ping for this long is gone. */
const pingMs = 30_000;
/** How long a client that was told to go may take before its buffers are freed. */
const graceMs = 2000;

/** The sockets that are open: how many there may be, whether they still answer, and their end. */
export class OpenSockets {
  readonly #answered = new Map<WebSocket, boolean>();
  readonly #pings = setInterval(() => this.#ping(), pingMs).unref();
  readonly #log: ServerLog;

  constructor(log: ServerLog) {
    this.#log = log;
  }

  checkRoom(): void {
    if (this.#answered.size >= limits.webSockets)
      throw new AppError('too-many-clients', `${limits.webSockets} clients are connected already`);
  }

  add(webSocket: WebSocket): void {
    this.#answered.set(webSocket, true);
    webSocket.on('pong', () => this.#answered.set(webSocket, true));
    webSocket.once('close', () => this.#answered.delete(webSocket));
    webSocket.on('error', (error) => this.#log.debug('socket error', { error: error.message }));
  }

  /** Says goodbye to all. */
  close(): void {
    clearInterval(this.#pings);
    for (const webSocket of this.#answered.keys()) dismiss(webSocket, 1001, 'the endpoint was switched off');
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

/** Says goodbye to a client. What it still sends is not heard. */
export function dismiss(webSocket: WebSocket, code: number, reason: string): void {
  webSocket.removeAllListeners('message');
  webSocket.close(code, reason);
  setTimeout(() => webSocket.terminate(), graceMs).unref();
}

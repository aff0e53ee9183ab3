import type { Principal } from '../../auth/principal.js';
import { AppError } from '../../domain/errors.js';
import { limits } from '../http/limits.js';
import { Places } from '../http/places.js';
import type { ConnectedClient } from './connected-client.js';

/** Names the connection that a request belongs to. */
export const connectionHeader = 'acp-connection-id';

/** A connection ends after this long without an open stream, because HTTP itself does not signal its end. */
const defaultIdleMs = 30_000;

type HttpConnection = { readonly client: ConnectedClient; streams: number; idleSince: number };

/** The ACP connections over HTTP, by the id in their requests. */
export class HttpConnections {
  readonly #connections = new Map<string, HttpConnection>();
  readonly #places = new Places({ limit: limits.acpConnections, what: 'ACP connections over HTTP' });
  readonly #idleMs: number;
  readonly #sweeping: NodeJS.Timeout;

  constructor(idleMs = defaultIdleMs) {
    this.#idleMs = idleMs;
    this.#sweeping = setInterval(() => this.#sweep(), idleMs / 2).unref();
  }

  /** Takes a place for a new connection. Returns a function to call if there will be none. */
  reserve(principal: Principal): () => void {
    return this.#places.take(principal);
  }

  /** `leave` frees the place that was reserved for it. */
  add(id: string, client: ConnectedClient, leave: () => void): void {
    this.#connections.set(id, { client, streams: 0, idleSince: Date.now() });
    client.onLeave(() => {
      this.#connections.delete(id);
      leave();
    });
  }

  /** A connection belongs to the principal that opened it. Its id alone grants nothing. */
  checkOwner(id: string, principal: Principal): void {
    const made = this.#connections.get(id);
    if (made && made.client.principal.id !== principal.id)
      throw new AppError('not-found', 'you have no such connection');
  }

  /** Records an open stream of the connection. Returns a function to call at its end. */
  hold(id: string): () => void {
    const connection = this.#connections.get(id);
    if (!connection) return () => {};
    connection.streams++;
    return () => {
      connection.streams--;
      connection.idleSince = Date.now();
    };
  }

  /** The session that a connection takes part in, if there is exactly one. */
  onlySessionOf(id: string): string | undefined {
    const ids = this.#connections.get(id)?.client.sessionIds ?? [];
    return ids.length === 1 ? ids[0] : undefined;
  }

  close(): void {
    clearInterval(this.#sweeping);
    for (const { client } of this.#connections.values()) client.close();
  }

  #sweep(): void {
    const before = Date.now() - this.#idleMs;
    for (const { client, streams, idleSince } of this.#connections.values()) {
      if (streams === 0 && idleSince < before) client.close();
    }
  }
}

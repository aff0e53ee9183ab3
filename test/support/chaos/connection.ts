import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { WireEvent } from '../wire-client.js';

export type Reply = {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly data?: { readonly code?: string } };
};

type Request = { readonly onReply: (reply: Reply) => void; readonly end: () => void };

/** A client that takes note of what is said in the tick it hears it: a server that dies a moment later has said it. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #requests = new Map<unknown, Request>();
  readonly #lost: Promise<never>;
  #nextId = 1;

  private constructor(url: string, onSaid: (said: WireEvent) => void) {
    this.#socket = new WebSocket(url);
    this.#socket.on('error', () => {});
    this.#socket.on('message', (data: Buffer) => {
      const said = JSON.parse(data.toString()) as WireEvent;
      this.#settle(said);
      onSaid(said);
    });
    this.#lost = once(this.#socket, 'close').then(() => {
      throw new Error('the connection was lost');
    });
    this.#lost.catch(() => {});
  }

  static async open(url: string, onSaid: (said: WireEvent) => void): Promise<Connection> {
    const connection = new Connection(url, onSaid);
    await connection.unlessLost(once(connection.#socket, 'open'));
    return connection;
  }

  /** Resolves with the reply, which may be a refusal. Rejects when the server dies before. */
  call(method: string, params: unknown, onReply: (reply: Reply) => void): Promise<void> {
    const id = this.#nextId++;
    const replied = new Promise<void>((end) => this.#requests.set(id, { onReply, end }));
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return this.unlessLost(replied);
  }

  unlessLost<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([promise, this.#lost]);
  }

  close(): void {
    this.#socket.terminate();
  }

  #settle(said: WireEvent): void {
    const request = this.#requests.get(said['id']);
    request?.onReply(said as Reply);
    request?.end();
  }
}

import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { WebSocket } from 'ws';
import type { Told } from './told.js';

export type Reply = {
  readonly id?: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message?: string; readonly data?: { readonly code?: string } };
};

type Request = { readonly onReply: (reply: Reply) => void; readonly end: () => void };

/** The server is gone, or does not have the task here any more: what was asked for and not answered was promised nothing. */
export class Lost extends Error {}

/** The server would not let us in. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`refused: ${code}`);
    this.code = code;
  }
}

/** A client that takes note of what is said in the tick it hears it: a server that dies a moment later has said it. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #requests = new Map<unknown, Request>();
  readonly #lost: Promise<never>;
  #nextId = 1;
  #isOpen = true;

  private constructor(url: string, onSaid: (said: Told) => void) {
    this.#socket = new WebSocket(url);
    this.#socket.on('error', () => {});
    this.#socket.on('message', (data: Buffer) => {
      if (!this.#isOpen) return;
      const said = JSON.parse(data.toString()) as Told & Reply;
      this.#settle(said);
      onSaid(said);
    });
    this.#lost = new Promise((_resolve, reject) => {
      this.#socket.on('close', (code) => {
        this.#isOpen = false;
        reject(new Lost(`the connection was lost: ${code}`));
      });
    });
    this.#lost.catch(() => {});
  }

  static async open(url: string, onSaid: (said: Told) => void): Promise<Connection> {
    const connection = new Connection(url, onSaid);
    const socket = connection.#socket;
    const opened = new Promise<void>((resolve) => socket.once('open', resolve));
    const refused = new Promise<never>((_resolve, reject) => {
      socket.once('unexpected-response', (_request, response) => void refusalOf(response).then(reject));
    });
    refused.catch(() => {});
    await Promise.race([connection.unlessLost(opened), refused]);
    return connection;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves with the reply, which may be a refusal. Rejects with `Lost` when the connection ends before. */
  call(method: string, params: unknown, onReply: (reply: Reply) => void): Promise<void> {
    const id = this.#nextId++;
    const replied = new Promise<void>((end) => this.#requests.set(id, { onReply, end }));
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }), () => {});
    return this.unlessLost(replied);
  }

  unlessLost<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([promise, this.#lost]);
  }

  /** What is still on its way is not heard. */
  close(): void {
    this.#isOpen = false;
    this.#socket.terminate();
  }

  #settle(said: Reply): void {
    const request = this.#requests.get(said.id);
    request?.onReply(said);
    request?.end();
  }
}

async function refusalOf(response: IncomingMessage): Promise<Refused | Lost> {
  const body = await text(response).catch(() => '');
  const code = /"code":"([\w-]+)"/.exec(body)?.[1];
  return code === undefined ? new Lost('the refusal was cut off') : new Refused(code);
}

import { CosessionError, fromWireError } from './transport/cosession-error.js';

/** The maximum number of requests that wait for a reply or a connection. */
const maxWaiting = 1000;

export type RequestOptions = {
  /** Resend it if the connection breaks before the reply. Only for idempotent requests. */
  readonly isRepeatable?: boolean;
};

type Waiting = {
  readonly method: string;
  readonly params: object;
  readonly isRepeatable: boolean;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: CosessionError) => void;
  isSent: boolean;
};

/** JSON-RPC over a connection that may be lost and reopened. */
export class Requests {
  readonly #send: (message: object) => boolean;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #isUp = false;
  #closed: CosessionError | undefined;

  /** `send` returns whether there was a connection. */
  constructor(send: (message: object) => boolean) {
    this.#send = send;
  }

  call(method: string, params: object, { isRepeatable = false }: RequestOptions = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(this.#closed);
      if (this.#waiting.size >= maxWaiting)
        return reject(
          new CosessionError('queue-full', `${maxWaiting} requests are already waiting for the connection`),
        );
      const waiting = { method, params, isRepeatable, resolve, reject, isSent: false };
      const id = ++this.#lastId;
      this.#waiting.set(id, waiting);
      if (this.#isUp) this.#transmit(id, waiting);
    });
  }

  up(): void {
    this.#isUp = true;
    for (const [id, waiting] of this.#waiting) if (!waiting.isSent) this.#transmit(id, waiting);
  }

  /** `error`: why nothing that was sent may be sent again. */
  down(error?: CosessionError): void {
    this.#isUp = false;
    for (const [id, waiting] of this.#waiting) {
      if (!waiting.isSent) continue;
      if (waiting.isRepeatable && !error) waiting.isSent = false;
      else {
        this.#waiting.delete(id);
        waiting.reject(
          error ??
            new CosessionError('disconnected', `the connection was lost before the reply to ${waiting.method} arrived`),
        );
      }
    }
  }

  close(error: CosessionError): void {
    this.#closed = error;
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }

  onReply(reply: object): void {
    const id = 'id' in reply && typeof reply.id === 'number' ? reply.id : 0;
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    if ('error' in reply) waiting.reject(fromWireError(reply.error));
    else waiting.resolve('result' in reply ? reply.result : undefined);
  }

  #transmit(id: number, waiting: Waiting): void {
    const { method, params } = waiting;
    waiting.isSent = this.#send({ jsonrpc: '2.0', id, method, params });
  }
}

import { connect, type IncomingHttpHeaders } from 'node:http2';

export type GrpcStream = {
  readonly port: number;
  readonly path: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** A protocol buffers message. */
  readonly request: Buffer;
};

/** The flow-control window: large enough that the server never waits for this client. */
const windowBytes = 4 * 1024 * 1024;

/** Reads a gRPC stream to its end and counts its messages without decoding them, since the bench measures the server. */
export function countMessages({ port, path, metadata, request }: GrpcStream): Promise<number> {
  return new Promise((resolve, reject) => {
    const session = connect(`http://127.0.0.1:${port}`, { settings: { initialWindowSize: windowBytes } });
    session.once('connect', () => session.setLocalWindowSize(windowBytes));
    session.once('error', reject);
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...metadata,
    });
    const counter = new MessageCounter();
    let status: unknown;
    stream.on('data', (bytes: Buffer) => counter.push(bytes));
    stream.once('trailers', (trailers: IncomingHttpHeaders) => (status = trailers['grpc-status']));
    stream.once('error', reject);
    stream.once('close', () => {
      session.close();
      if (Number(status) === 0) resolve(counter.messages);
      else reject(new Error(`the call ended with status ${String(status)}`));
    });
    stream.end(withLength(request));
  });
}

function withLength(message: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** Each message follows one byte of flags and four bytes of length. */
class MessageCounter {
  messages = 0;
  #head: number[] = [];
  #rest = 0;

  push(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#rest > 0) {
        const taken = Math.min(this.#rest, bytes.length - at);
        this.#rest -= taken;
        at += taken;
        continue;
      }
      this.#head.push(bytes[at++] ?? 0);
      if (this.#head.length < 5) continue;
      this.#rest = Buffer.from(this.#head).readUInt32BE(1);
      this.#head = [];
      this.messages++;
    }
  }
}

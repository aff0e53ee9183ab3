import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';

/** Messages as gRPC sends them: each with a byte for its compression, which is none, and its length in front. */
export class Frames {
  readonly bytes: Buffer;

  constructor(messages: readonly Buffer[]) {
    this.bytes = Buffer.allocUnsafe(messages.reduce((sum, { length }) => sum + headBytes + length, 0));
    let at = 0;
    for (const message of messages) {
      this.bytes[at] = 0;
      this.bytes.writeUInt32BE(message.length, at + 1);
      message.copy(this.bytes, at + headBytes);
      at += headBytes + message.length;
    }
  }
}

const headBytes = 5;

/** What grpc-js does not declare: an intercepted call has the next one, and the last one puts the length in front of a message. */
type Inside = { nextCall?: Inside; serializeMessage?: (message: unknown) => Buffer };

/** Lets a call send `Frames` in one write. grpc-js writes each message on its own, which costs more than making it. */
export function sendFrames(call: ServerInterceptingCallInterface): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- private; test/a2a/grpc-frames.test.ts fails if it changes
  let last = call as Inside;
  while (last.nextCall) last = last.nextCall;
  const { serializeMessage } = last;
  if (!serializeMessage) throw new Error('this release of grpc-js serialises messages elsewhere');
  last.serializeMessage = (message) =>
    message instanceof Frames ? message.bytes : Reflect.apply(serializeMessage, last, [message]);
}

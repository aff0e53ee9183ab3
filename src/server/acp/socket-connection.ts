import type { Duplex } from 'node:stream';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import type { RawData, WebSocket } from 'ws';
import type { Principal } from '../../auth/principal.js';
import { toAppError } from '../../domain/errors.js';
import { jsonSize } from '../../util/json-size.js';
import type { Waiter } from '../endpoint/greet.js';
import type { CredentialCheck } from '../guards/credential-check.js';
import { needForAcp } from '../guards/scopes.js';
import { idOf, type JsonRpcId, parseText, rpcError } from '../http/json-rpc.js';
import { limits } from '../http/limits.js';
import { TickFrames } from '../endpoint/frames/tick-frames.js';
import type { SharedAcpSurface } from './surface.js';
import { messageFrame, type Outlet } from './update.js';

export type AcpSocketOptions = {
  readonly webSocket: WebSocket;
  /** Its TCP socket. Frames are written directly to it, bypassing the `ws` library. */
  readonly socket: Duplex;
  readonly principal: Principal;
  readonly credentialCheck: CredentialCheck;
  readonly surface: SharedAcpSurface;
};

/** RFC 6455's "try again later". */
const tooSlowCode = 1013;
/** How long a dismissed client may take to close before its buffers are freed. */
const graceMs = 2000;

/** Serves an ACP connection on a WebSocket. */
export function openAcpSocket({ webSocket, socket, principal, credentialCheck, surface }: AcpSocketOptions): Waiter {
  const frames = frameWriter(socket, () => {
    webSocket.close(tooSlowCode, 'too slow: connect again and load the session');
    setTimeout(() => webSocket.terminate(), graceMs).unref();
  });
  const outlet: Outlet = { send: ({ frame }) => frames.write(frame), room: () => drained(socket) };
  const inbound = new TransformStream<AnyMessage, AnyMessage>(undefined, { highWaterMark: Infinity });
  const writer = inbound.writable.getWriter();
  const stream: Stream = {
    readable: inbound.readable,
    writable: new WritableStream({ write: (message) => frames.write(messageFrame(message)) }),
  };
  // The SDK makes its schemas when it is loaded, so that waits for the first client. What the client sends meanwhile waits, too.
  void import('./agent.js').then(({ acpAgent }) => acpAgent(surface, () => outlet, principal).app.connect(stream));
  const stop = (): void => {
    frames.stop();
    void writer.close().catch(() => {});
  };
  webSocket.once('close', stop);

  function receive(data: RawData): void {
    for (const line of linesOf(textOf(data))) receiveMessage(line);
  }

  function receiveMessage(line: string): void {
    if (line.trim() === '') return;
    let id: JsonRpcId;
    try {
      credentialCheck.count(principal);
      const message = parseText(line, limits.acpValues);
      // The id in an answer is one of ours, not the id of a request. Nobody waits for a reply to an answer.
      id = isAnswer(message) ? undefined : idOf(message);
      if (isComplaint(message)) return;
      needForAcp(principal, message);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SDK checks every message it reads
      void writer.write(message as AnyMessage).catch(() => {});
    } catch (thrown) {
      frames.write(messageFrame(rpcError(id, toAppError(thrown))));
    }
  }
  return { receive, stop };
}

/**
 * One message per frame, as the specification says, or lines, as sent by clients made for pipes. A frame with too much in
 * it is not split, and is refused as one message.
 */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n', limits.frameMessages + 1);
  const isTooMuch = lines.length > limits.frameMessages || jsonSize(text).values > limits.acpValues;
  return isTooMuch ? [text] : lines;
}

function isAnswer(message: unknown): boolean {
  return typeof message === 'object' && message !== null && !('method' in message);
}

/** An ACP client that was briefly served as a watcher reports, without a request id, that it cannot read those events. */
function isComplaint(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'error' in message && idOf(message) === null;
}

/** Writes frames until the client turns out to be too slow. */
function frameWriter(socket: Duplex, tooSlow: () => void): { write(frame: Buffer): void; stop(): void } {
  let isOpen = true;
  const frames = new TickFrames(joined, (bytes) => {
    if (!isOpen) return;
    if (socket.writableLength > limits.clientBufferBytes) {
      isOpen = false;
      tooSlow();
    } else socket.write(bytes);
  });
  return {
    write: (frame) => frames.push(frame),
    stop() {
      isOpen = false;
    },
  };
}

/** Every connection sends the same buffers, so they are made once. */
function joined(frames: readonly Buffer[]): Buffer {
  const [only] = frames;
  return frames.length === 1 && only ? only : Buffer.concat(frames);
}

function drained(socket: Duplex): Promise<void> {
  if (!socket.writableNeedDrain || socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
}

function textOf(data: RawData): string {
  return Buffer.isBuffer(data) ? data.toString('utf8') : '';
}

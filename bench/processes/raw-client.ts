import { connect, type Socket } from 'node:net';
import { now } from '../support/clock.js';
import { FrameCounter } from './frame-counter.js';

export type RawClient = {
  readonly socket: Socket;
  texts: number;
  /** Counts text frames only, since only our server sends pings. */
  bytes: number;
  /** When each text arrived, if requested. */
  times?: Float64Array;
};

export type RawClientOptions = {
  readonly port: number;
  readonly token: string;
  /** What the client sends first, if anything. */
  readonly hello: readonly string[];
  /** Called when text frames arrive. */
  readonly onTexts: (client: RawClient, count: number, at: number) => void;
  readonly onClose: () => void;
};

/** An empty pong, masked as all client frames are. */
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
/** Shared by all sockets: each read is counted before the next one starts. */
const readBuffer = Buffer.allocUnsafe(256 * 1024);

/** A WebSocket client that only counts. It costs almost nothing, so the bench measures the server. */
export function openRawClient({ port, token, hello, onTexts, onClose }: RawClientOptions): RawClient {
  const counter = new FrameCounter();
  let handshake: string | undefined = '';

  function onRead(length: number): boolean {
    const at = now();
    let bytes: Buffer = readBuffer.subarray(0, length);
    if (handshake !== undefined) {
      handshake += bytes.toString('latin1');
      const end = handshake.indexOf('\r\n\r\n');
      if (end < 0) return true;
      if (!handshake.startsWith('HTTP/1.1 101')) throw new Error(`refused: ${handshake}`);
      bytes = Buffer.from(handshake.slice(end + 4), 'latin1');
      handshake = undefined;
      for (const message of hello) client.socket.write(maskedText(message));
    }
    const { texts, textBytes, wasPinged } = counter.push(bytes);
    if (wasPinged) client.socket.write(pong);
    client.texts += texts;
    client.bytes += textBytes;
    if (texts > 0) onTexts(client, texts, at);
    return true;
  }

  const socket = connect({ port, host: '127.0.0.1', onread: { buffer: readBuffer, callback: onRead } });
  const client: RawClient = { socket, texts: 0, bytes: 0 };
  socket.on('error', () => {});
  socket.once('close', onClose);
  socket.write(
    `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\n` +
      `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\n\r\n`,
  );
  return client;
}

/** A short text from a client. Its mask is all zeros, which leaves the text unchanged. */
function maskedText(text: string): Buffer {
  const payload = Buffer.from(text);
  const header = Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 255, 0, 0, 0, 0]);
  return Buffer.concat([header, payload]);
}

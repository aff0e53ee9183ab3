import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';
import { grpc } from './a2a/grpc.js';
import { serveHub } from './served-hub.js';

/** A whole HTTP request with a JSON body; without one its length is 0. */
export function httpBytes(port: number, path: string, body?: unknown): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n`;
  return Buffer.from(`${head}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}

/** A WebSocket's handshake and its first frame. */
export function webSocketBytes(port: number, path: string, frame: unknown): Buffer {
  const head =
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
    'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
  const payload = Buffer.from(JSON.stringify(frame));
  // Final text frame, its length in eight bytes, masked with zeros.
  const frameHead = Buffer.alloc(14);
  frameHead.writeUInt16BE(0x81ff);
  frameHead.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([Buffer.from(head), frameHead, payload]);
}

/** All that a gRPC client sends for one message, recorded between a real client and a server of our own. */
export async function grpcBytes(text: string): Promise<Buffer> {
  const hub = await serveHub({}, { grpcPort: 0 });
  const chunks: Buffer[] = [];
  const recorder = createServer((client) => {
    const server = connect(hub.server.grpcPort ?? 0, '127.0.0.1');
    client.on('data', (chunk: Buffer) => chunks.push(chunk)).pipe(server);
    server.pipe(client);
    for (const socket of [client, server]) socket.on('error', () => socket.destroy());
  });
  const transport = grpc(await listenOnLoopback(recorder, 0));
  await transport.send({ text }, { configuration: { returnImmediately: true } });
  transport.close();
  recorder.close();
  await once(recorder, 'close');
  await hub.stop();
  return Buffer.concat(chunks);
}

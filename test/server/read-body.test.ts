import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '../../src/server/http/limits.js';
import { type ServedTasks, serveTasks } from '../support/served-tasks.js';
import { until } from '../support/until.js';

let served: ServedTasks;
beforeAll(async () => {
  served = await serveTasks();
});
afterAll(() => served.stop());

const body = (id: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tasks/get', params: { id: 'ü 🐚' } });

/** The request in the pieces in which it is written, one turn of the event loop at least for each. */
function inPieces(id: string): Readonly<Record<string, readonly (string | Buffer)[]>> {
  const head = `POST / HTTP/1.1\r\nhost: 127.0.0.1:${served.server.port}\r\ncontent-type: application/json\r\n`;
  const bytes = Buffer.from(body(id));
  const withLength = Buffer.from(`${head}content-length: ${bytes.length}\r\n\r\n`);
  const half = Math.floor(bytes.length / 2);
  return {
    'head and body at once': [Buffer.concat([withLength, bytes])],
    'the head first': [withLength, bytes],
    'half of the body with the head': [Buffer.concat([withLength, bytes.subarray(0, half)]), bytes.subarray(half)],
    'byte by byte': Array.from(Buffer.concat([withLength, bytes]), (byte) => Buffer.of(byte)),
    'in chunks, at once': [
      Buffer.concat([
        Buffer.from(`${head}transfer-encoding: chunked\r\n\r\n${bytes.length.toString(16)}\r\n`),
        bytes,
        Buffer.from('\r\n0\r\n\r\n'),
      ]),
    ],
  };
}

async function write(socket: Socket, pieces: readonly (string | Buffer)[]): Promise<void> {
  for (const piece of pieces) await new Promise<void>((written) => socket.write(piece, () => setImmediate(written)));
}

test('a body is read however it arrives, and the connection goes on with the next request', async () => {
  const socket = connect(served.server.port, '127.0.0.1').setNoDelay();
  let received = '';
  socket.on('data', (data: Buffer) => (received += data.toString()));
  const ways = Object.keys(inPieces(''));
  for (const [number, way] of [...ways, ...ways].entries()) {
    received = '';
    await write(socket, inPieces(`request-${number}`)[way] ?? []);
    await until(() => received.includes(`"id":"request-${number}"`));
    expect([way, received.split('\r\n', 1)[0]]).toEqual([way, 'HTTP/1.1 200 OK']);
    expect(received).toContain('Task not found: \\"ü 🐚\\"');
  }
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});

test('a body that is too large is refused before it is there, and an empty one is an empty object', async () => {
  const head = `POST / HTTP/1.1\r\nhost: 127.0.0.1:${served.server.port}\r\ncontent-type: application/json\r\n`;
  const replyTo = async (request: string): Promise<string> => {
    const socket = connect(served.server.port, '127.0.0.1');
    let received = '';
    socket.on('data', (data: Buffer) => (received += data.toString())).on('error', () => {});
    socket.write(request);
    await until(() => received.includes('\r\n\r\n{'));
    socket.destroy();
    return received;
  };
  const large = limits.messageBytes + 1;
  expect(await replyTo(`${head}content-length: ${large}\r\n\r\n${'x'.repeat(large)}`)).toContain('413');
  expect(await replyTo(`${head}content-length: 0\r\n\r\n`)).toContain('expected one JSON-RPC object');
});

import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EventStream } from '../../src/server/http/event-stream.js';

/** From one letter to more than a socket takes at once, in letters of one to four bytes. */
const lengths = [1, 2, 100, 5461, 5462, 20_000, 3, 400_000, 1];
const events = lengths.flatMap((length) => ['a', 'é', '≈', '🙂'].map((letter) => letter.repeat(length)));
const whole = events.map((event) => `data: ${event}\n\n`).join('');

const server = createServer();
let port = 0;

beforeEach(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function answered(): Promise<ServerResponse> {
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  return response;
}

/** Each in a tick of its own, when the reader can take it. */
async function sendAll(response: ServerResponse): Promise<void> {
  const stream = new EventStream(response);
  for (const event of events) {
    stream.send(undefined, event);
    await stream.room();
    await new Promise((resolve) => setImmediate(resolve));
  }
  stream.end();
}

test('a reader gets exactly the events, short or long', async () => {
  const call = get({ host: '127.0.0.1', port });
  void answered().then(sendAll);
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  expect(await textOf(response)).toBe(whole);
});

test('a reader of HTTP 1.0, which knows no chunks, gets no lengths of chunks', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.0\r\n\r\n');
  void answered().then(sendAll);
  const [, body] = (await textOf(socket)).split('\r\n\r\n');
  expect(body).toBe(whole);
});

test('a reader that stops is waited for', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
  const response = await answered();
  const stream = new EventStream(response);
  let sent = 0;
  // Short ones only, which take the short way as long as the reader keeps up.
  while (!response.writableNeedDrain) {
    stream.send(undefined, 'x'.repeat(5000));
    stream.flush();
    sent++;
  }
  const room = stream.room();
  socket.resume();
  await room;
  expect(sent).toBeGreaterThan(3);
  socket.destroy();
});

test('nothing is written to a reader that has gone', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
  const response = await answered();
  const stream = new EventStream(response);
  stream.send(undefined, 'one');
  socket.destroy();
  await once(response, 'close');
  stream.send(undefined, 'two');
  stream.flush();
  expect(response.socket?.writableLength ?? 0).toBe(0);
});

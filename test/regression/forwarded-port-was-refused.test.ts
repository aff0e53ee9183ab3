import { connect as tcpConnect, createServer } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { connect } from '../../src/client/node.js';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';
import { ask } from '../support/ask.js';
import { serveHub, token } from '../support/served-hub.js';

/** `ssh -L 9000:127.0.0.1:41243`: connects as our own user, and the client names the other port. */
const opened = serveHub();
const forward = createServer((socket) => {
  const there = tcpConnect(target, '127.0.0.1');
  socket.pipe(there).pipe(socket);
  socket.on('error', () => there.destroy());
  there.on('error', () => socket.destroy());
});
let target = 0;
const listening = opened.then(async ({ server }) => {
  target = server.port;
  return listenOnLoopback(forward, 0);
});
afterAll(async () => {
  forward.close();
  await (await opened).stop();
});

const task = '/tasks/session-1';
const bearer = { authorization: `Bearer ${token}` };

test('a forwarded port serves a client with the token, and only what is public without it', async () => {
  const port = await listening;
  const host = `localhost:${port}`;
  expect((await ask(`http://127.0.0.1:${port}${task}`, { host, ...bearer })).status).toBe(200);
  expect((await ask(`http://127.0.0.1:${port}${task}`, { host })).status).toBe(401);
  expect((await ask(`http://127.0.0.1:${port}${task}`, { host, authorization: 'Bearer wrong' })).status).toBe(401);
  expect((await ask(`http://127.0.0.1:${port}/.well-known/agent-card.json`, { host })).status).toBe(200);
});

test('attaching through it works, by socket and with the reason of a refusal', async () => {
  const port = await listening;
  const session = await connect({ port, token });
  expect(session.state).toBe('submitted');
  session.close();
  await expect(connect({ port })).rejects.toThrow(/send a token/);
});

test('a page may use it from its own origin only, and other names stay refused', async () => {
  const port = await listening;
  const host = `localhost:${port}`;
  const status = async (headers: Record<string, string>): Promise<number> =>
    (await ask(`http://127.0.0.1:${port}${task}`, { host, ...bearer, ...headers })).status;
  expect(await status({ origin: `http://${host}` })).toBe(200);
  expect(await status({ origin: 'http://localhost:1' })).toBe(403);
  expect(await status({ origin: 'https://evil.example' })).toBe(403);
  expect(await status({ host: `evil.example:${port}` })).toBe(403);
  expect(await status({ host: `127.0.0.1.evil.example:${port}` })).toBe(403);
});

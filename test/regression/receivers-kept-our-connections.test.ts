import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { postToAddress } from '../../src/server/a2a/push/post-to-address.js';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';

/** Only silence was limited, so a webhook or push service that sent a byte now and then kept a connection for good. */
test.each([
  ['headers', 'HTTP/1.1 200 OK\r\nx: '],
  ['body', 'HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n'],
])('a receiver whose %s never end is left after ten seconds', async (_what, beginning) => {
  const server = createServer();
  const port = await listenOnLoopback(server, 0);
  onTestFinished(() => {
    vi.useRealTimers();
    server.close();
  });
  const came = once(server, 'connection') as Promise<[Socket]>;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const target = { url: new URL(`http://127.0.0.1:${port}/`), address: '127.0.0.1', family: 4 };
  const answer = postToAddress(target, {}, '{}').catch(() => 'given up');
  const [socket] = await came;
  socket.on('error', () => {}).resume();
  socket.write(beginning);
  const drip = setInterval(() => socket.write('x'), 10);
  const closed = new Promise((resolve) => socket.once('close', resolve)).finally(() => clearInterval(drip));
  vi.advanceTimersByTime(10_000);
  await closed;
  expect(['given up', 200]).toContain(await answer);
});

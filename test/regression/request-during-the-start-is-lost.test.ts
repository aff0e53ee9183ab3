import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../support/free-port.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The very first connection that the port takes. */
async function firstConnection(port: number): Promise<Socket> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    if (isOpen) return socket;
  }
}

test('a request that comes as soon as the port is open is answered', async () => {
  const folder = temporaryFolder();
  const port = await freePort();
  const key = join(folder, 'card.pem');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  // All that makes the start longer.
  const flags = ['--port', String(port), '--grpc-port', '0', '--card-key', key, '--acp-v2'];
  const server = spawn(process.execPath, [resolve('dist/main.js'), 'serve', '--demo', ...flags], {
    cwd: folder,
    env: { ...process.env, COSESSION_STATE_DIR: join(folder, 'state') },
    stdio: 'ignore',
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  const socket = await firstConnection(port);
  socket.write(`GET /.well-known/agent-card.json HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
  socket.destroy();
});

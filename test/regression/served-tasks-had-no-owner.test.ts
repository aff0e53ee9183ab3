import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { outputOf } from '../support/command.js';

/** `cosession tasks ls --server` had a column for the owner, and left it empty. */
test('tasks ls shows the owner that a server names', async () => {
  const task = {
    id: 'one',
    state: 'working',
    owner: 'token:ada',
    workspace: '/srv',
    timestamp: '2026-11-17T10:00:00.000Z',
  };
  const server = createServer((_request, response) => void response.end(JSON.stringify({ tasks: [task] })));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const said = await outputOf('tasks', ['ls', '--server', `http://127.0.0.1:${port}/`]);
    expect(said).toMatch(/^ID .*\none +working +\S+ +token:ada +\/srv\n$/);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

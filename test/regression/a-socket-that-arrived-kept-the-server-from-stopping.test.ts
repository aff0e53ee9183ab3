import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { SessionPort } from '../../src/session/session-port.js';
import { serveTasks } from '../support/served-tasks.js';
import { until } from '../support/until.js';

test('a server that stops does not wait for a socket whose task is still being opened', async () => {
  const served = await serveTasks();
  const session = await served.tasks.open('slow');
  let isAsked = false;
  let open = (_session: SessionPort): void => {};
  const opened = new Promise<SessionPort>((resolve) => (open = resolve));
  const wait = (): Promise<SessionPort> => {
    isAsked = true;
    return opened;
  };
  Object.assign(served.tasks, { get: wait, open: wait });
  const socket = new WebSocket(`ws://127.0.0.1:${served.server.port}/ws?taskId=slow`);
  const refused = once(socket, 'unexpected-response') as Promise<[unknown, IncomingMessage]>;
  await until(() => isAsked);

  const closed = served.server.close();
  const [, { statusCode }] = await refused;
  expect(statusCode).toBe(503);
  open(session);
  await closed;
  await served.tasks.close();
});

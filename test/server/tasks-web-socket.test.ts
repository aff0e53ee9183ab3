import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { longSilenceMs } from '../../src/server/endpoint/first-frame.js';
import { type ServedTasks, serveTasks } from '../support/served-tasks.js';

let served: ServedTasks;
beforeEach(async () => {
  served = await serveTasks();
  await served.tasks.open('one');
  await served.tasks.open('two');
});
afterEach(() => served.stop());

test('[003-9] a socket is attached to the task it names, and hears of no other', async () => {
  const first = await served.connect('?taskId=one');
  const second = await served.connect('?taskId=two');
  await first.prompt('for one');
  await second.prompt('for two');
  served.tasks.engine('one').say('answer one');
  served.tasks.engine('two').say('answer two');
  await first.find((event) => event.kind === 'TEXT_CONTENT');
  await second.find((event) => event.kind === 'TEXT_CONTENT');
  expect([first.text, second.text]).toEqual(['answer one', 'answer two']);
  expect(JSON.stringify(first.seen)).not.toContain('two');
});

test('a client that comes back after everyone left misses nothing', async () => {
  const first = await served.connect('?taskId=one');
  await first.prompt('hello');
  const { seq } = await first.state('working');
  first.close();
  await once(first.socket, 'close');
  served.tasks.engine('one').say('while nobody listened');
  const again = await served.connect(`?taskId=one&after=${String(seq)}`);
  await again.kind('TEXT_CONTENT');
  expect(again.text).toBe('while nobody listened');
});

test.each([
  ['says something', '{"jsonrpc":"2.0","id":1,"method":"tasks/get"}'],
  ['says nothing', undefined],
])('a socket that names no task and %s is told so in a frame and closed', async (_, frame) => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const client = await served.connect();
  const closed = once(client.socket, 'close');
  if (frame === undefined) vi.advanceTimersByTime(longSilenceMs);
  else client.socket.send(frame);
  const [code] = (await closed) as [number];
  expect(code).toBe(1008);
  expect(client.seen).toEqual([
    { kind: 'ERROR', code: -32602, message: expect.stringContaining('taskId='), data: { code: 'bad-request' } },
  ]);
});

test.each([
  ['?protocol=endpoint', 400, 'bad-request', /\?taskId=/],
  ['?taskId=three', 404, 'unknown-task', /"three"/],
])('a socket with the query "%s" is refused with %i', async (query, status, code, message) => {
  const socket = new WebSocket(`ws://127.0.0.1:${served.server.port}/ws${query}`);
  socket.on('error', () => {});
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  const body: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) body.push(chunk);
  const { error } = JSON.parse(Buffer.concat(body).toString()) as { error: { code: string; message: string } };
  expect([response.statusCode, error.code]).toEqual([status, code]);
  expect(error.message).toMatch(message);
});

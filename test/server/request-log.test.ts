import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ServedTasks, serveTasks } from '../support/served-tasks.js';
import { until } from '../support/until.js';

type Line = { readonly level: string; readonly message: string } & Record<string, unknown>;

let lines: Line[];
let served: ServedTasks;

beforeEach(async () => {
  lines = [];
  const write =
    (level: string) =>
    (message: string, facts: object = {}) =>
      void lines.push({ level, message, ...facts });
  served = await serveTasks({ log: { debug: write('debug'), info: write('info'), error: write('error') } });
});
afterEach(() => served.stop());

const requests = (): Line[] => lines.filter(({ message }) => message === 'request');

test('[003-5.5] every request is one line with its request id and its task id', async () => {
  const created = await served.post('tasks', { contextId: 'one' }, { 'x-request-id': 'from-the-proxy' });
  await created.text();
  const described = await served.get('tasks/one');
  await described.text();
  await until(() => requests().length === 2);
  const ms = expect.any(Number) as number;
  const made = described.headers.get('x-request-id');
  expect(made).toMatch(/^[\da-f-]{36}$/);
  expect(requests()).toMatchObject([
    { level: 'info', requestId: 'from-the-proxy', taskId: 'one', method: 'POST', route: '/tasks', status: 201, ms },
    { level: 'info', requestId: made, taskId: 'one', method: 'GET', route: '/tasks/:taskId', status: 200, ms },
  ]);
  expect(requests()[0]).toMatchObject({ principal: 'owner' });
  expect(created.headers.get('x-request-id')).toBe('from-the-proxy');
});

test('a task that a stream opens is named too', async () => {
  const prompt = { contextId: 'two', userMessage: { kind: 'text-content', text: 'hi' } };
  const stream = await served.post('message/stream', prompt);
  (await served.started('two')).end();
  await stream.text();
  expect(await until(() => requests()[0])).toMatchObject({ taskId: 'two', route: '/message/stream', status: 200 });
});

test('why a request failed is logged with its ids', async () => {
  const refused = await served.post('tasks/none/execute', { message: 'go' }, { 'x-request-id': 'a1' });
  expect(refused.status).toBe(404);
  expect(lines.find(({ message }) => message === 'request refused')).toMatchObject({
    code: 'unknown-task',
    requestId: 'a1',
  });
  await served.tasks.open('one');
  served.tasks.describe = () => Promise.reject(new Error('no database'));
  await served.post('message/stream', { taskId: 'one', message: { text: 'hi' } }, { 'x-request-id': 'a2' });
  expect(lines.find(({ level }) => level === 'error')).toMatchObject({ requestId: 'a2', taskId: 'one' });
});

test.each([
  ['too long', 'a'.repeat(129)],
  ['with spaces', 'a b'],
  ['with quotes', '"},{"level":"error'],
])('a request id that is %s is replaced', async (_name, given) => {
  const response = await served.post('tasks', {}, { 'x-request-id': given });
  expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
});

test('no header, query or body reaches the log, and probes are only for debugging', async () => {
  await served.post('tasks?token=secret-1', { contextId: 'one' }, { authorization: 'Bearer secret-2' });
  await served.post('nowhere?token=secret-3', { password: 'secret-4' });
  await served.get('health');
  await until(() => requests().length === 3);
  expect(JSON.stringify(lines)).not.toContain('secret');
  expect(requests().map(({ route, level }) => [route, level])).toEqual([
    ['/tasks', 'info'],
    ['other', 'info'],
    ['/health', 'debug'],
  ]);
});

test('who goes away before the answer ends is told apart', async () => {
  await served.tasks.open('one');
  const leave = new AbortController();
  const url = `${served.server.url}tasks/one/execute`;
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"message":"go"}' };
  await fetch(url, { ...init, signal: leave.signal });
  leave.abort();
  expect(await until(() => requests()[0])).toMatchObject({ taskId: 'one', isCutOff: true });
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ConnectOptions } from '../../src/client/connect.js';
import type { CosessionError } from '../../src/client/transport/cosession-error.js';
import { connect } from '../../src/client/node.js';
import type { ClientSession } from '../../src/client/session.js';
import { type ServedTasks, serveTasks } from '../support/served-tasks.js';
import { until } from '../support/until.js';

/** The library at a server of many tasks. */
let served: ServedTasks;
const sessions: ClientSession[] = [];

beforeEach(async () => {
  served = await serveTasks();
});
afterEach(async () => {
  for (const session of sessions.splice(0)) session.close();
  await served.stop();
});

async function join(options: ConnectOptions): Promise<ClientSession> {
  const session = await connect({ url: served.server.url, ...options });
  sessions.push(session);
  return session;
}

async function newTask(): Promise<string> {
  const { taskId } = (await (await served.post('tasks')).json()) as { taskId: string };
  return taskId;
}

test('the task is named by an option or in the address', async () => {
  const [one, two] = [await newTask(), await newTask()];
  expect((await join({ taskId: one })).id).toBe(one);
  const session = await join({ url: `${served.server.url}?taskId=${two}&other=1` });
  expect(session.id).toBe(two);
  const turn = await session.prompt('hello');
  const engine = await served.started(two);
  engine.say('Hi.');
  engine.end();
  expect(await turn.done).toMatchObject({ text: 'Hi.' });
  expect((await session.history()).events.map((event) => event.kind)).toContain('TEXT_CONTENT');
});

test.each<[string, ConnectOptions, string, RegExp]>([
  ['no task is named', {}, 'bad-request', /this server has many tasks/],
  ['there is no such task', { taskId: 'nobody' }, 'unknown-task', /nobody/],
])('the reason of the server is shown if %s', async (_name, options, code, message) => {
  await expect(join(options)).rejects.toMatchObject({ code, message: expect.stringMatching(message) as string });
});

test('a client whose task was deleted is closed with the reason and does not try for ever', async () => {
  const taskId = await newTask();
  const closed: CosessionError[] = [];
  await join({ taskId, onState: (_state, error) => void (error && closed.push(error)) });
  await served.remove(`tasks/${taskId}`);
  expect(await until(() => closed[0])).toMatchObject({ code: 'unknown-task' });
});

test('a plain request to the address of the WebSockets is told what it is for', async () => {
  const response = await served.get(`ws?taskId=${await newTask()}`);
  expect([response.status, response.headers.get('upgrade')]).toEqual([426, 'websocket']);
  expect(await response.json()).toMatchObject({ error: { code: 'upgrade-required' } });
});

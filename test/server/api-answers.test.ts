import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as z from 'zod';
import { liveRoutes } from '../../src/server/routes/live.js';
import type { RouteFacts } from '../../src/server/routes/route.js';
import { serverRoutes } from '../../src/server/routes/server.js';
import { waitingShell } from '../support/manual-engine.js';
import { serveHub, type ServedHub } from '../support/served-hub.js';
import { serveTasks, type ServedTasks } from '../support/served-tasks.js';

/** What a route says it answers with, and nothing else. */
function answerOf(routes: readonly RouteFacts[], name: string): z.ZodType {
  const row = routes.find((route) => route.name === name);
  if (row?.name === undefined || !('json' in row.answer)) throw new Error(`${name} answers no JSON`);
  return row.answer.json;
}

let live: ServedHub;
let server: ServedTasks;
let task: string;

beforeAll(async () => {
  live = await serveHub({ model: 'm' });
  live.engine.report({ type: 'started', text: 'clean', origin: { surface: 'tui' } });
  live.engine.report({ type: 'tool', call: waitingShell() });
  live.engine.say('Hi.');
  server = await serveTasks();
  task = ((await (await server.post('tasks')).json()) as { taskId: string }).taskId;
  const prompt = await server.post(`tasks/${task}/messages/stream`, { message: { content: { text: 'hello' } } });
  const engine = await server.started(task);
  engine.say('Hi.');
  engine.end();
  await prompt.text();
});
afterAll(async () => {
  await live.stop();
  await server.stop();
});

test('the live endpoint answers what /openapi.json says', async () => {
  const calls = { joinTask: 'tasks', getTask: 'tasks/session-1', getHistory: 'tasks/session-1/history' };
  const { id } = live.session;
  for (const [name, path] of Object.entries({ ...calls, getEvent: 'tasks/session-1/events/1' })) {
    const url = `${live.base}/${path.replace('session-1', id)}`;
    const response = await fetch(url, { method: name === 'joinTask' ? 'POST' : 'GET' });
    expect([name, response.status]).toEqual([name, name === 'joinTask' ? 201 : 200]);
    const body: unknown = await response.json();
    expect([name, answerOf(liveRoutes, name).parse(body)]).toEqual([name, body]);
  }
});

test('a server of many tasks answers what /openapi.json says', async () => {
  const calls: readonly (readonly [name: string, path: string])[] = [
    ['listTasks', 'tasks'],
    ['listMetadata', 'tasks/metadata'],
    ['getTask', `tasks/${task}`],
    ['getMetadata', `tasks/${task}/metadata`],
    ['getHistory', `tasks/${task}/history`],
    ['getEvent', `tasks/${task}/events/1`],
    ['listArtifacts', `tasks/${task}/artifacts`],
    ['listCommands', 'listCommands'],
    ['getHealth', 'health'],
    ['getReady', 'ready'],
  ];
  for (const [name, path] of calls) {
    const response = await server.get(path);
    const body: unknown = await response.json();
    expect([name, response.status]).toEqual([name, 200]);
    expect([name, answerOf(serverRoutes, name).parse(body)]).toEqual([name, body]);
  }
  const command = await server.post('executeCommand', { command: 'list-extensions' });
  const body: unknown = await command.json();
  expect(answerOf(serverRoutes, 'executeCommand').parse(body)).toEqual(body);
});

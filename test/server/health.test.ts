import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '../../src/domain/errors.js';
import { waitingShell } from '../support/manual-engine.js';
import { type ServedTasks, serveTasks } from '../support/served-tasks.js';
import { until } from '../support/until.js';

let served: ServedTasks;
beforeEach(async () => {
  served = await serveTasks();
});
afterEach(() => served.stop());

/** The value of each line of /metrics. */
async function metrics(): Promise<Map<string, number>> {
  const lines = (await (await served.get('metrics')).text())
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

test('[003-10.1] GET /health', async () => {
  const session = await served.tasks.open('one');
  await served.tasks.open('two');
  session.submit({ kind: 'prompt', text: 'go', origin: { surface: 'a2a' } });
  expect(await (await served.get('health')).json()).toEqual({
    status: 'healthy',
    uptime: expect.any(Number) as number,
    activeTasks: 1,
    totalTasks: 2,
    version: '1.2.3',
  });
});

test('GET /ready says why not', async () => {
  const ready = await served.get('ready');
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
  served.tasks.notReady = new AppError('not-ready', 'the server is shutting down');
  const not = await served.get('ready');
  expect([not.status, await not.json()]).toEqual([
    503,
    { error: { code: 'not-ready', message: 'the server is shutting down' } },
  ]);
});

test('a server whose store is away is alive, but not ready', async () => {
  await served.tasks.open('one');
  expect(await (await served.get('health')).json()).toMatchObject({ status: 'healthy', totalTasks: 1 });
  for (const list of [() => Promise.reject(new Error('no database')), () => new Promise<never>(() => {})]) {
    served.tasks.list = list;
    expect(await (await served.get('health')).json()).toMatchObject({ status: 'healthy', totalTasks: 1 });
  }
  served.tasks.notReady = new AppError('store-unavailable', 'the disk of the store is full');
  const not = await served.get('ready');
  expect([not.status, await not.json()]).toMatchObject([503, { error: { code: 'store-unavailable' } }]);
});

test('GET /metrics counts requests, tasks, turns, approvals, events, clients and refusals', async () => {
  await served.tasks.open('one');
  await served.connect('?taskId=one');
  await until(() => served.server.clients === 1);
  const running = await served.post('tasks/one/execute', { message: 'go' });
  const engine = await served.started('one');
  engine.report({ type: 'tool', call: waitingShell() });
  const session = await served.tasks.get('one');
  session?.answer('call-1', { optionId: 'proceed_once' }, { surface: 'web' });
  engine.report({ type: 'tool', call: { ...waitingShell(), status: 'succeeded', output: { kind: 'text', text: '' } } });
  const during = await metrics();
  engine.end();
  await running.text();
  await (await served.get('tasks/one')).text();
  await (await served.get('tasks/none')).text();
  await (await served.get('no/such/route')).text();
  const after = await metrics();
  expect([...during]).toEqual(
    expect.arrayContaining([
      ['cosession_tasks_running', 1],
      ['cosession_tasks_queued', 0],
      ['cosession_tasks_loaded', 1],
      ['cosession_clients', 1],
      ['cosession_event_streams', 1],
    ]),
  );
  expect([...after]).toEqual(
    expect.arrayContaining([
      ['cosession_tasks_running', 0],
      ['cosession_event_streams', 0],
      ['cosession_turns_total{state="completed"}', 1],
      ['cosession_approvals_total{outcome="proceed_once",surface="web"}', 1],
      ['cosession_events_total{type="prompt"}', 1],
      ['cosession_refusals_total{code="unknown-task"}', 1],
      ['cosession_http_requests_total{method="GET",route="/tasks/:taskId",status="200"}', 1],
      ['cosession_http_requests_total{method="GET",route="/tasks/:taskId",status="404"}', 1],
      ['cosession_http_requests_total{method="GET",route="other",status="404"}', 1],
      ['cosession_http_requests_total{method="POST",route="/tasks/:taskId/execute",status="200"}', 1],
      ['cosession_http_request_duration_seconds_count{method="GET",route="/tasks/:taskId"}', 2],
    ]),
  );
  expect(after.has('process_resident_memory_bytes')).toBe(true);
  const durations = [...after.keys()].filter((key) => key.includes('duration') && key.includes('execute'));
  expect(durations).toEqual([]);
});

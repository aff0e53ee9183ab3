import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { executeEvent } from '../../src/dialects/execute/event-schemas.js';
import { waitingShell } from '../support/manual-engine.js';
import { type ServedTasks, serveTasks } from '../support/served-tasks.js';
import { eventsOf, readUntil } from '../support/sse.js';
import { until } from '../support/until.js';

let served: ServedTasks;
beforeEach(async () => {
  served = await serveTasks();
  await served.tasks.open('task-456');
});
afterEach(() => served.stop());

const execute = (body: unknown, query = '') => served.post(`tasks/task-456/execute${query}`, body);
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

test('[003-5.2] the example of POST /tasks/:taskId/execute', async () => {
  const running = execute({ message: 'Write a Python function to sort a list' });
  const engine = await served.started('task-456');
  expect(engine.started[0]?.text).toBe('Write a Python function to sort a list');
  const call = { id: 'call-1', name: 'write_file', args: {} };
  engine.say("I'll write a sort function...");
  engine.report({ type: 'tool', call: { ...call, status: 'pending' } });
  engine.report({ type: 'tool', call: { ...call, status: 'succeeded', output: { kind: 'text', text: '...' } } });
  engine.end();
  const response = await running;
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(await eventsOf(response)).toEqual([
    { id: 2, event: 'state_change', data: { type: 'state_change', state: 'running', timestamp } },
    { id: 3, event: 'text_content', data: { type: 'text_content', text: "I'll write a sort function..." } },
    {
      id: 4,
      event: 'tool_call_update',
      data: { type: 'tool_call_update', toolCallId: 'call-1', status: 'requested', toolName: 'write_file' },
    },
    {
      id: 5,
      event: 'tool_call_update',
      data: {
        type: 'tool_call_update',
        toolCallId: 'call-1',
        status: 'completed',
        toolName: 'write_file',
        result: '...',
      },
    },
    { id: 6, event: 'state_change', data: { type: 'state_change', state: 'completed', timestamp } },
  ]);
});

test('[003-3.2] thoughts, their summaries and failures, each as the reference types it', async () => {
  const running = execute({ message: 'go' });
  const engine = await served.started('task-456');
  const call = { id: 'c', name: 'tool', args: {} };
  engine.report(
    { type: 'thought', subject: 'Plan', description: 'First this.' },
    { type: 'tool', call: { ...call, status: 'executing' } },
    { type: 'tool', call: { ...call, status: 'failed', error: { message: 'no disk' } } },
    { type: 'usage', usage: {} },
  );
  engine.end('failed', 'the model is gone');
  const events = (await eventsOf(await running)).map(({ data }) => data);
  expect(events.slice(1)).toEqual([
    { type: 'thought', thought: 'First this.' },
    { type: 'thought_summary', summary: 'Plan' },
    { type: 'tool_call_update', toolCallId: 'c', status: 'requested', toolName: 'tool' },
    { type: 'tool_call_update', toolCallId: 'c', status: 'executing', toolName: 'tool' },
    { type: 'tool_call_update', toolCallId: 'c', status: 'error', toolName: 'tool', error: 'no disk' },
    { type: 'state_change', state: 'error', timestamp, error: 'the model is gone' },
  ]);
  for (const event of events) expect(executeEvent.parse(event)).toEqual(event);
});

describe('[003-11.6] tool confirmations are handled remotely', () => {
  test('a call that asks says so, the stream waits, and the answer comes over the same route', async () => {
    const running = execute({ message: 'go' });
    const engine = await served.started('task-456');
    engine.report({ type: 'tool', call: waitingShell() });
    const message = { kind: 'tool-call-confirmation', toolCallId: 'call-1', approved: true };
    const answering = execute({ message });
    await until(() => engine.answered.length);
    engine.end();
    const statuses = (await eventsOf(await running)).map(({ data }) => data['status'] ?? data['state']);
    expect(statuses).toEqual(['running', 'requested', 'executing', 'error', 'completed']);
    const after = (await eventsOf(await answering)).map(({ data }) => data['status'] ?? data['state']);
    expect(after).toEqual(['executing', 'running', 'error', 'completed']);
  });

  test('the question is in the event', async () => {
    const running = await execute({ message: 'go' });
    (await served.started('task-456')).report({ type: 'tool', call: waitingShell() });
    const events = await readUntil(running, ({ data }) => data['confirmationRequest'] !== undefined);
    expect(events.at(-1)?.data).toMatchObject({
      status: 'requested',
      confirmationRequest: { title: 'Run a shell command', prompt: 'rm -rf build', type: 'danger' },
    });
  });
});

test('a lost stream cancels nothing and is found again by messageId and Last-Event-ID', async () => {
  const first = await execute({ message: 'go', messageId: 'm1' });
  const engine = await served.started('task-456');
  engine.say('one');
  const seen = await readUntil(first, ({ data }) => data['text'] === 'one');
  engine.say('two');
  const again = await served.post(
    'tasks/task-456/execute',
    { message: 'go', messageId: 'm1' },
    { 'last-event-id': String(seen.at(-1)?.id) },
  );
  engine.end();
  expect((await eventsOf(again)).map(({ data }) => data['text'] ?? data['state'])).toEqual(['two', 'completed']);
  expect([engine.cancels, engine.started.length]).toEqual([0, 1]);
});

test('a cursor older than what is kept is refused, and nothing is prompted', async () => {
  const running = await execute({ message: 'go' });
  const engine = await served.started('task-456');
  // A store in memory keeps 10,000 and some.
  for (let i = 0; i < 13_000; i++) engine.say('word ');
  const late = await execute({ message: 'again' }, '?after=1');
  expect([late.status, await late.json()]).toMatchObject([410, { error: { code: 'too-slow' } }]);
  engine.end();
  await running.text();
  expect(engine.started).toHaveLength(1);
});

test('a canceled turn is an error that says so', async () => {
  const running = execute({ message: 'go' });
  const engine = await served.started('task-456');
  expect((await served.post('tasks/task-456/cancel')).status).toBe(202);
  engine.end('canceled');
  expect((await eventsOf(await running)).at(-1)?.data).toMatchObject({ state: 'error', error: 'canceled' });
});

test.each([
  ['no message', 'task-456', {}, 400, 'bad-request'],
  ['an empty message', 'task-456', { message: ' ' }, 400, 'bad-request'],
  ['a number', 'task-456', { message: 7 }, 400, 'bad-request'],
  ['an unknown task', 'none', { message: 'x' }, 404, 'unknown-task'],
])('%s is refused', async (_name, id, body, status, code) => {
  const response = await served.post(`tasks/${id}/execute`, body);
  expect([response.status, await response.json()]).toMatchObject([status, { error: { code } }]);
});

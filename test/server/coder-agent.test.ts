import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { coderAgentEvent } from '../../src/dialects/coder-agent/event-schemas.js';
import { waitingEdit, waitingShell } from '../support/manual-engine.js';
import { type ServedTasks, serveTasks } from '../support/served-tasks.js';
import { eventsOf, readUntil, type StreamedEvent } from '../support/sse.js';
import { until } from '../support/until.js';

let served: ServedTasks;
beforeEach(async () => {
  served = await serveTasks();
});
afterEach(() => served.stop());

const send = (body: object, query = '') => served.post(`message/stream${query}`, body);
const text = (words: string) => ({ kind: 'text-content', text: words });
const approve = (toolCallId: string, approved = true) => ({ kind: 'tool-call-confirmation', toolCallId, approved });

/** Each event as the flow diagram of the seed names it. */
const flow = (events: StreamedEvent[]) =>
  events.map(({ data: { kind, state, status, text: words } }) =>
    [kind, state ?? status ?? words].filter(Boolean).join(': '),
  );

async function newTask(): Promise<string> {
  const { taskId } = (await (await served.post('tasks')).json()) as { taskId: string };
  return taskId;
}

test('[002-6] the event flow example', async () => {
  const taskId = await newTask();
  const asking = send({ taskId, userMessage: text('create a file'), agentSettings: { workspacePath: '/project' } });
  const engine = await served.started(taskId);
  const call = waitingEdit('call-1');
  const { id, name, args } = call;
  engine.report({ type: 'thought', subject: '', description: "I'll create..." });
  engine.report({ type: 'tool', call: { id, name, args, status: 'pending' } }, { type: 'tool', call });
  expect(flow(await eventsOf(await asking))).toEqual([
    'state-change: working',
    "thought: I'll create...",
    'tool-call-update: PENDING',
    'tool-call-confirmation',
    'state-change: input-required',
  ]);

  const answering = send({ taskId, contextId: taskId, userMessage: approve('call-1') });
  await until(() => engine.answered.length);
  engine.report({
    type: 'tool',
    call: { id, name, args, status: 'succeeded', output: { kind: 'text', text: 'done' } },
  });
  engine.say("I've created...");
  engine.end();
  const events = await eventsOf(await answering);
  expect(flow(events)).toEqual([
    'state-change: working',
    'tool-call-update: EXECUTING',
    'tool-call-update: SUCCEEDED',
    "text-content: I've created...",
    'state-change: completed',
  ]);
  expect(events.at(-1)?.data).toEqual({
    kind: 'state-change',
    state: 'completed',
    final: true,
    taskId,
    contextId: taskId,
  });
});

describe('[002-1] events', () => {
  test('[002-3.3] [002-3.4] every kind has the fields of the seed', async () => {
    const taskId = await newTask();
    const asking = send({ taskId, userMessage: text('go') });
    const engine = await served.started(taskId);
    engine.report(
      { type: 'settings', model: 'gemini-x', approvalMode: 'yolo' },
      { type: 'thought', subject: 'Plan', description: 'First this.' },
      { type: 'citation', text: 'https://example.org' },
      { type: 'usage', usage: { totalTokens: 1 } },
      { type: 'log', level: 'info', text: 'not for this dialect' },
      { type: 'error', message: 'the model stuttered' },
      { type: 'tool', call: waitingShell() },
    );
    const events = await eventsOf(await asking);
    const ids = { taskId, contextId: taskId };
    const call = { toolCallId: 'call-1', toolName: 'run_shell_command', inputParameters: { command: 'rm -rf build' } };
    expect(events.map(({ data }) => data)).toEqual([
      { kind: 'state-change', state: 'working', ...ids },
      { kind: 'agent-settings', workspacePath: '/project', autoExecute: true, model: 'gemini-x', ...ids },
      { kind: 'thought', text: 'Plan: First this.', subject: 'Plan', description: 'First this.', ...ids },
      { kind: 'citation', text: 'https://example.org', ...ids },
      { kind: 'state-change', state: 'working', error: 'the model stuttered', ...ids },
      { kind: 'tool-call-update', ...call, status: 'PENDING', ...ids },
      {
        kind: 'tool-call-confirmation',
        ...call,
        confirmationRequest: { title: 'Run a shell command', prompt: 'rm -rf build', type: 'danger' },
        ...ids,
      },
      { kind: 'state-change', state: 'input-required', final: true, ...ids },
    ]);
    for (const { data } of events) expect(coderAgentEvent.parse(data)).toEqual(data);
  });

  test('an event that becomes two has its number on the second, so that a cut between them loses neither', async () => {
    const taskId = await newTask();
    const asking = send({ taskId, userMessage: text('go') });
    (await served.started(taskId)).report({ type: 'tool', call: waitingShell() });
    const numbered = (await eventsOf(await asking)).map(({ id, data }) => [data['kind'], id]);
    expect(numbered.slice(1, 3)).toEqual([
      ['tool-call-update', undefined],
      ['tool-call-confirmation', 3],
    ]);
  });
});

const ends = [
  ['failed', { status: 'failed', error: { message: 'no disk' } }, { status: 'FAILED', error: 'no disk' }],
  ['cancelled', { status: 'cancelled', reason: 'stopped' }, { status: 'CANCELLED', error: 'stopped' }],
  [
    'structured',
    { status: 'succeeded', output: { kind: 'data', data: { n: 1 } } },
    { status: 'SUCCEEDED', result: '{"n":1}' },
  ],
] as const;

describe('[002-7] the life of a tool call', () => {
  test.each(ends)('%s', async (_name, state, expected) => {
    const taskId = await newTask();
    const asking = send({ taskId, userMessage: text('go') });
    const engine = await served.started(taskId);
    const base = { id: 'c', name: 'tool', args: {} };
    engine.report({ type: 'tool', call: { ...base, status: 'executing', liveOutput: 'a' } });
    engine.report({ type: 'tool', call: { ...base, ...state } });
    engine.end();
    const updates = (await eventsOf(await asking)).filter(({ data }) => data['kind'] === 'tool-call-update');
    expect(updates.map(({ data }) => data['status'])).toEqual(['PENDING', 'EXECUTING', expected.status]);
    expect(updates.at(-1)?.data).toMatchObject(expected);
  });
});

describe('[002-8] responding to confirmations', () => {
  test('approved: false refuses the call', async () => {
    const taskId = await newTask();
    const asking = send({ taskId, userMessage: text('go') });
    const engine = await served.started(taskId);
    engine.report({ type: 'tool', call: waitingShell() });
    await eventsOf(await asking);
    const answering = send({ taskId, userMessage: approve('call-1', false) });
    await until(() => engine.answered.length);
    expect(engine.answered).toEqual([{ callId: 'call-1', answer: { optionId: 'cancel' } }]);
    engine.end();
    expect(flow(await eventsOf(await answering))).toEqual([
      'state-change: working',
      'tool-call-update: CANCELLED',
      'state-change: completed',
    ]);
  });

  test('with two questions open, the answer to the first says nothing of working', async () => {
    const taskId = await newTask();
    const asking = send({ taskId, userMessage: text('go') });
    const engine = await served.started(taskId);
    engine.report({ type: 'tool', call: waitingShell('a') }, { type: 'tool', call: waitingShell('b') });
    await eventsOf(await asking);
    const first = send({ taskId, userMessage: approve('a') });
    await until(() => engine.answered.length === 1);
    const second = send({ taskId, userMessage: approve('b') });
    await until(() => engine.answered.length === 2);
    engine.end();
    expect(flow(await eventsOf(await first)).slice(0, 3)).toEqual([
      'tool-call-update: EXECUTING',
      'tool-call-update: EXECUTING',
      'state-change: working',
    ]);
    expect(flow(await eventsOf(await second)).slice(0, 2)).toEqual([
      'state-change: working',
      'tool-call-update: EXECUTING',
    ]);
  });

  test('a second answer gets 409 and who was first, an unknown call 404', async () => {
    const taskId = await newTask();
    const asking = send({ taskId, userMessage: text('go') });
    const engine = await served.started(taskId);
    engine.report({ type: 'tool', call: waitingShell() });
    await eventsOf(await asking);
    const first = await send({ taskId, userMessage: approve('call-1') });
    const late = await send({ taskId, userMessage: approve('call-1', false) });
    expect([late.status, await late.json()]).toMatchObject([
      409,
      { error: { code: 'already-answered', selected_option_id: 'proceed_once' } },
    ]);
    const unknown = await send({ taskId, userMessage: approve('call-9') });
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { code: 'unknown-tool-call' } }]);
    engine.end();
    await first.text();
  });
});

describe('[002-4.1] POST /message/stream', () => {
  test('[002-3.1] without a task it makes one, with the settings', async () => {
    const agentSettings = { kind: 'agent-settings', workspacePath: '/project/a', autoExecute: true };
    const asking = send({ userMessage: text('go'), agentSettings });
    const id = await until(() => [...served.tasks.engines.keys()][0]);
    (await served.started(id)).end();
    expect((await eventsOf(await asking)).at(0)?.data).toMatchObject({ taskId: id });
    expect(served.tasks.wishes).toMatchObject([{ workspace: '/project/a', autoExecute: true, owner: 'owner' }]);
  });

  test.each([
    ['a standard A2A message', (message: object) => ({ message })],
    [
      'a JSON-RPC request',
      (message: object) => ({ jsonrpc: '2.0', id: 1, method: 'message/stream', params: { message } }),
    ],
    ['as userMessage', (userMessage: object) => ({ userMessage })],
  ])('%s is understood', async (_name, wrap) => {
    const taskId = await newTask();
    const parts = [{ kind: 'text', text: 'from A2A' }];
    const asking = send(wrap({ kind: 'message', role: 'user', messageId: 'm1', taskId, parts }));
    const engine = await served.started(taskId);
    expect(engine.started[0]).toMatchObject({ text: 'from A2A', messageId: 'm1' });
    engine.end();
    expect(flow(await eventsOf(await asking)).at(-1)).toBe('state-change: completed');
  });

  test('a client that lost its stream comes back with messageId and cursor; the turn was not cancelled', async () => {
    const taskId = await newTask();
    const body = { taskId, userMessage: { ...text('go'), messageId: 'm1' } };
    const first = await send(body);
    const engine = await served.started(taskId);
    engine.say('one');
    const seen = await readUntil(first, ({ data }) => data['text'] === 'one');
    expect(engine.cancels).toBe(0);
    engine.say('two');
    const again = send(body, `?after=${seen.at(-1)?.id}`);
    engine.end();
    expect(flow(await eventsOf(await again))).toEqual(['text-content: two', 'state-change: completed']);
    const whole = await send(body);
    expect(flow(await eventsOf(whole))).toHaveLength(4);
    const nothing = await send(body, '?after=99');
    expect(await eventsOf(nothing)).toEqual([]);
    expect(engine.started).toHaveLength(1);
  });

  test('a replayed question that was answered since does not end the stream', async () => {
    const taskId = await newTask();
    const body = { taskId, userMessage: { ...text('go'), messageId: 'm1' } };
    const asking = send(body);
    const engine = await served.started(taskId);
    engine.report({ type: 'tool', call: waitingShell() });
    await eventsOf(await asking);
    const answering = send({ taskId, userMessage: approve('call-1') });
    await until(() => engine.answered.length);
    const again = await send(body);
    engine.end();
    await (await answering).text();
    expect(flow(await eventsOf(again))).toEqual([
      'state-change: working',
      'tool-call-update: PENDING',
      'tool-call-confirmation',
      'state-change: input-required',
      'tool-call-update: EXECUTING',
      'state-change: working',
      'tool-call-update: CANCELLED',
      'state-change: completed',
    ]);
  });

  test('a prompt behind another is submitted first', async () => {
    const taskId = await newTask();
    const first = send({ taskId, userMessage: text('one') });
    const engine = await served.started(taskId);
    const second = send({ taskId, userMessage: text('two') });
    const session = await served.tasks.get(taskId);
    await until(() => session?.queued);
    engine.end();
    await served.started(taskId, 2);
    engine.end();
    await (await first).text();
    expect(flow(await eventsOf(await second))).toEqual([
      'state-change: submitted',
      'state-change: working',
      'state-change: completed',
    ]);
  });

  test.each([
    ['no message', {}, 400, 'bad-request'],
    ['text that is none', { userMessage: { kind: 'text-content', text: 1 } }, 400, 'bad-request'],
    ['a half confirmation', { userMessage: { kind: 'tool-call-confirmation', toolCallId: 'c' } }, 400, 'bad-request'],
    [
      'settings of the wrong type',
      { userMessage: { text: 'x' }, agentSettings: { autoExecute: 'yes' } },
      400,
      'bad-request',
    ],
    ['an unknown task', { taskId: 'none', userMessage: { text: 'x' } }, 404, 'unknown-task'],
    ['an answer to no task', { userMessage: approve('c') }, 400, 'bad-request'],
    ['an array', [], 400, 'bad-request'],
  ])('%s is refused', async (_name, body, status, code) => {
    const response = await send(body);
    expect([response.status, await response.json()]).toMatchObject([status, { error: { code } }]);
    expect(served.tasks.engines.size).toBe(0);
  });
});

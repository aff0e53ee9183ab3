import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AcpClient } from '../support/acp-client.js';
import { AcpV2Client, type AcpV2Options } from '../support/acp-v2-client.js';
import { waitingEdit, waitingShell } from '../support/manual-engine.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { until } from '../support/until.js';

let hub: ServedHub;
let clients: { close(): void }[];
beforeEach(async () => {
  hub = await serveHub({}, { acpV2: true });
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.close();
  await hub.stop();
});

function addressOf(path: string): string {
  return path === 'http' ? `${hub.base}/acp` : `${hub.base.replace('http', 'ws')}${path}`;
}

async function connect(options: AcpV2Options & { path?: string } = {}): Promise<AcpV2Client> {
  const { path = '/ws', ...rest } = options;
  const client = await AcpV2Client.connect(addressOf(path), rest);
  clients.push(client);
  return client;
}

async function connectV1(name: string): Promise<AcpClient> {
  const client = await AcpClient.connect(addressOf('/ws'), { name });
  clients.push(client);
  return client;
}

const typed = { type: 'started', text: 'typed', origin: { surface: 'tui' } } as const;

describe.each([['/ws'], ['/acp'], ['http']])('over %s', (path) => {
  test('a prompt is accepted at once, is told to its sender too, and states tell of its turn', async () => {
    const alice = await connect({ path, name: 'alice' });
    const { messageId } = await alice.prompt('hello');
    expect(hub.engine.started[0]).toMatchObject({ text: 'hello', origin: { surface: 'acp', client: 'alice' } });
    await until(() => alice.messages('user')[messageId] === 'hello');
    await until(() => alice.states.at(-1) === 'running');
    hub.engine.report({ type: 'thought', subject: 'Plan', description: 'think' });
    hub.engine.say('Hi ');
    hub.engine.say('there');
    hub.engine.end();
    await until(() => alice.states.at(-1) === 'idle end_turn');
    expect(Object.values(alice.messages('agent'))).toEqual(['Hi there']);
    expect(alice.updates.find(({ sessionUpdate }) => sessionUpdate === 'agent_thought')).toMatchObject({
      content: [{ text: '**Plan**\nthink' }],
    });
  });

  test('a permission is won against clients of version 1 and of A2A', async () => {
    const [alice, bob, wire] = [await connect({ path, name: 'alice' }), await connectV1('bob'), await hub.connect()];
    await alice.prompt('go');
    hub.engine.report({ type: 'tool', call: waitingShell() });
    const [mine, theirs] = [await alice.question(), await bob.question()];
    expect(mine.request).toMatchObject({
      title: 'Allow rm -rf build?',
      subject: { type: 'tool_call', toolCall: { toolCallId: 'call-1', status: 'pending' } },
      options: [
        { optionId: 'proceed_once', kind: 'allow_once' },
        { optionId: 'proceed_always' },
        { optionId: 'cancel' },
      ],
    });
    await until(() => alice.states.at(-1) === 'requires_action');
    mine.answer('proceed_once');
    await until(() => theirs.wasWithdrawn);
    await until(() => alice.states.at(-1) === 'running');
    expect(await bob.tool('in_progress')).toMatchObject({
      _meta: { cosession: { resolvedBy: { surface: 'acp', client: 'alice' } } },
    });
    expect(await wire.answer('call-1', 'cancel')).toMatchObject({ error: { code: -32050 } });
    expect(mine.wasWithdrawn).toBe(false);
  });

  test.each([
    ['version 1', async () => (await connectV1('bob')).question().then(({ answer }) => answer('proceed_once')), 'bob'],
    ['A2A', async () => void (await (await hub.connect('?client=wire')).answer('call-1', 'proceed_once')), 'wire'],
  ])('a permission that a client of %s answers first is withdrawn, and it is told who answered', async (_, win, by) => {
    const alice = await connect({ path });
    hub.engine.report(typed, { type: 'tool', call: waitingShell() });
    const question = await alice.question();
    await win();
    await until(() => question.wasWithdrawn);
    expect(await alice.tool('in_progress')).toMatchObject({
      _meta: { cosession: { resolvedBy: { client: by }, selectedOptionId: 'proceed_once' } },
    });
    expect(hub.engine.answered).toHaveLength(1);
  });

  test('resuming tells the past if asked to, the state, and open questions', async () => {
    const alice = await connect({ path });
    await alice.prompt('long work');
    hub.engine.say('working');
    hub.engine.report({ type: 'tool', call: waitingShell() });
    await alice.question();
    alice.close();
    const [told, untold] = [await connect({ path, join: false }), await connect({ path, join: false })];
    await told.resume('session-1', { isReplayed: true });
    await untold.resume('session-1');
    for (const client of [told, untold]) {
      await until(() => client.states.at(-1) === 'requires_action');
      await client.question();
    }
    await until(() => Object.values(told.messages('agent'))[0] === 'working');
    expect(Object.values(told.messages('user'))).toEqual(['long work']);
    expect([untold.messages('user'), untold.messages('agent')]).toEqual([{}, {}]);
    (await told.question()).answer('proceed_once');
    await until(() => hub.engine.answered.length);
  });
});

test("the session of the SDK's own client reads a turn to its end", async () => {
  const alice = await connect({ join: false });
  const session = await alice.agent.buildSession('/project').start();
  await session.prompt('hello');
  hub.engine.say('Hi ');
  hub.engine.say('there');
  hub.engine.end();
  expect(await session.readTextUntilIdle()).toBe('Hi there');
});

test('the turns of others are shown, with who prompted them; what they say keeps its id when it is told again', async () => {
  const [alice, bob, wire] = [await connect(), await connectV1('bob'), await hub.connect('?client=wire')];
  const done = bob.prompt('from bob');
  await until(() => hub.engine.started.length === 1);
  hub.engine.say('for bob');
  hub.engine.report({ type: 'tool', call: { ...waitingShell(), status: 'executing' } });
  hub.engine.say('and more');
  hub.engine.end();
  await done;
  await wire.prompt('from wire');
  await until(() => hub.engine.started.length === 2);
  hub.engine.end('failed', 'quota exceeded');
  await until(() => alice.states.length === 4);
  expect(alice.states).toEqual(['running', 'idle end_turn', 'running', 'idle error']);
  expect(alice.updates.at(-1)).toMatchObject({ error: { code: -32603, message: 'quota exceeded' } });
  const users = alice.updates.filter(({ sessionUpdate }) => sessionUpdate === 'user_message');
  expect(users).toMatchObject([
    { content: [{ text: 'from bob' }], _meta: { cosession: { origin: { client: 'bob' } } } },
    { content: [{ text: 'from wire' }], _meta: { cosession: { origin: { client: 'wire' } } } },
  ]);
  expect(Object.values(alice.messages('agent'))).toEqual(['for bob', 'and more']);
  const late = await connect({ join: false });
  await late.resume('session-1', { isReplayed: true });
  await until(() => late.states.length);
  expect(late.messages('agent')).toEqual(alice.messages('agent'));
  expect(late.messages('user')).toEqual(alice.messages('user'));
});

test('what the agent says while a client resumes is one message', async () => {
  hub.engine.report(typed, { type: 'text', text: 'one ' });
  const [first, second] = [await connect({ join: false }), await connect({ join: false })];
  await first.resume('session-1', { isReplayed: true });
  hub.engine.say('two ');
  await second.resume('session-1', { isReplayed: true });
  hub.engine.say('three');
  await until(() => Object.values(first.messages('agent'))[0] === 'one two three');
  await until(() => Object.values(second.messages('agent'))[0] === 'one two three');
  expect(second.messages('agent')).toEqual(first.messages('agent'));
});

describe('a prompt behind another', () => {
  test('is part of the conversation, and acknowledged, when its turn starts', async () => {
    const [alice, bob] = [await connect(), await connect()];
    await alice.prompt('first');
    let isAccepted = false;
    const second = bob.prompt('second').then((response) => ((isAccepted = true), response));
    await until(() => hub.session.queued === 1);
    expect([isAccepted, Object.values(bob.messages('user'))]).toEqual([false, ['first']]);
    hub.engine.end();
    const { messageId } = await second;
    await until(() => alice.messages('user')[messageId] === 'second');
    expect(bob.states).toEqual(['running', 'idle end_turn', 'running']);
  });

  test.each([
    ['session/cancel', (bob: AcpV2Client) => void bob.cancel()],
    ['session/close', (bob: AcpV2Client) => void bob.agent.request('session/close', { sessionId: 'session-1' })],
    ['$/cancel_request', (_: AcpV2Client, stop: AbortController) => stop.abort()],
  ])('is taken back by %s, and the running one goes on', async (_, takeBack) => {
    const [alice, bob] = [await connect(), await connect()];
    await alice.prompt('first');
    const stop = new AbortController();
    const second = bob.prompt('second', stop.signal);
    await until(() => hub.session.queued === 1);
    takeBack(bob, stop);
    await expect(second).rejects.toMatchObject({ code: -32800 });
    await until(() => hub.session.queued === 0);
    expect(hub.engine.cancels).toBe(0);
    expect(alice.states).toEqual(['running']);
  });
});

test('any client cancels the running turn, whoever started it', async () => {
  const [alice, bob] = [await connect(), await connectV1('bob')];
  const done = bob.prompt('long work');
  await until(() => hub.engine.started.length);
  await alice.cancel();
  await until(() => hub.engine.cancels === 1);
  hub.engine.report({ type: 'tool', call: waitingShell() });
  hub.engine.end('canceled');
  expect(await done).toEqual({ stopReason: 'cancelled' });
  await alice.tool('cancelled');
  await until(() => alice.states.at(-1) === 'idle cancelled');
});

test('who comes late to a new session is told that it works, and asked; who comes to an idle one is told nothing', async () => {
  await connect();
  hub.engine.report(typed, { type: 'tool', call: waitingShell() });
  const late = await connect({ name: 'late' });
  const { request, answer } = await late.question();
  expect(request.subject).toMatchObject({ toolCall: { toolCallId: 'call-1' } });
  await until(() => late.states.join() === 'requires_action');
  answer('proceed_always');
  await until(() => hub.engine.answered.length);
  hub.engine.end();
  await until(() => late.states.at(-1) === 'idle end_turn');
  const later = await connect();
  await later.find(({ sessionUpdate }) => sessionUpdate === 'available_commands_update');
  expect(later.states).toEqual([]);
});

test('a session that is unloaded is idle, and its prompts that wait fail', async () => {
  const [alice, bob] = [await connect(), await connect()];
  await alice.prompt('first');
  const second = bob.prompt('second');
  await until(() => hub.session.queued === 1);
  await Promise.all([
    expect(second).rejects.toMatchObject({ code: -32603, message: 'the task is being unloaded; try again' }),
    hub.session.suspend(),
  ]);
  await until(() => alice.states.at(-1) === 'idle error');
  await expect(alice.prompt('third')).rejects.toMatchObject({ code: -32002 });
});

test('an edit is a change with its patch, and a client may send a version of its own', async () => {
  const alice = await connect();
  hub.engine.report(typed, { type: 'tool', call: waitingEdit() });
  const { request, answer } = await alice.question();
  expect(request.subject).toMatchObject({
    toolCall: {
      content: [
        {
          type: 'diff',
          changes: [{ operation: 'modify', path: '/project/a.txt' }],
          patch: { format: 'git_patch', text: expect.stringContaining('@@ -1,1 +1,1 @@\n-old\n') as string },
        },
      ],
    },
  });
  answer('proceed_once', { cosession: { newContent: 'mine' } });
  await until(() => hub.engine.answered.length);
  expect(hub.engine.answered[0]?.answer).toEqual({ optionId: 'proceed_once', newContent: 'mine' });
});

test('a command has a terminal; who resumes while it prints sees all of it', async () => {
  const call = { ...waitingShell(), status: 'executing' } as const;
  const early = await connect();
  hub.engine.report(typed, { type: 'tool', call }, { type: 'tool', call: { ...call, liveOutput: 'one\n' } });
  await until(() => terminalOf(early) === 'one\r\n');
  const late = await connect({ join: false });
  await late.resume('session-1', { isReplayed: true });
  await until(() => terminalOf(late) === 'one\r\n');
  const output = { kind: 'text', text: 'one\ntwo\n' } as const;
  hub.engine.report({ type: 'tool', call: { ...waitingShell(), status: 'succeeded', output } });
  for (const client of [early, late]) {
    expect(await client.tool('completed')).toMatchObject({ content: [{ type: 'terminal', terminalId: 'call-1' }] });
    expect(terminalOf(client)).toBe('one\r\ntwo\r\n');
  }
});

function terminalOf(client: AcpV2Client): string {
  let shown = '';
  for (const { sessionUpdate, data, output } of client.updates) {
    if (sessionUpdate === 'terminal_output_chunk') shown += fromBase64(data);
    if (sessionUpdate === 'terminal_update' && output) shown = fromBase64((output as { data: unknown }).data);
  }
  return shown;
}

function fromBase64(data: unknown): string {
  return Buffer.from(String(data), 'base64').toString();
}

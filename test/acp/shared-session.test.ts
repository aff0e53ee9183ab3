import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AcpClient, type AcpOptions } from '../support/acp-client.js';
import { waitingEdit, waitingShell } from '../support/manual-engine.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { until } from '../support/until.js';

let hub: ServedHub;
let clients: AcpClient[];
beforeEach(async () => {
  hub = await serveHub();
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.close();
  await hub.stop();
});

async function connect(options: AcpOptions & { join?: boolean; path?: string } = {}): Promise<AcpClient> {
  const { path = '/ws', ...rest } = options;
  const client = await AcpClient.connect(`${hub.base.replace('http', 'ws')}${path}`, rest);
  clients.push(client);
  return client;
}

test('[000-8.2] an ACP client on /ws prompts, receives the output, and then the end of the turn', async () => {
  const alice = await connect();
  const done = alice.prompt('hello');
  await until(() => hub.engine.started.length);
  expect(hub.engine.started[0]).toMatchObject({ text: 'hello', origin: { surface: 'acp', client: 'tester' } });
  hub.engine.report({ type: 'thought', subject: 'Plan', description: 'think' });
  hub.engine.say('Hi ');
  hub.engine.say('there');
  hub.engine.end();
  expect(await done).toEqual({ stopReason: 'end_turn' });
  expect(alice.text).toBe('Hi there');
  expect(alice.heard).toBe('');
  expect(alice.updates.find(({ sessionUpdate }) => sessionUpdate === 'agent_thought_chunk')).toMatchObject({
    content: { text: '**Plan**\nthink' },
  });
});

test('prompts of others come with who sent them, one message each; a queued one comes when its turn starts', async () => {
  const [alice, bob] = [await connect({ name: 'alice' }), await connect({ name: 'bob' })];
  const first = alice.prompt('from alice');
  await until(() => hub.engine.started.length === 1);
  const second = bob.prompt('from bob');
  await bob.find((update) => update.sessionUpdate === 'user_message_chunk');
  hub.engine.end();
  await first;
  await until(() => hub.engine.started.length === 2);
  hub.engine.end();
  await second;
  expect([alice.heard, bob.heard]).toEqual(['from bob', 'from alice']);
  expect(bob.updates.find(({ sessionUpdate }) => sessionUpdate === 'user_message_chunk')).toMatchObject({
    messageId: expect.any(String),
    _meta: { cosession: { origin: { surface: 'acp', client: 'alice' } } },
  });
});

test('an A2A client on the same socket address sees the ACP prompt and the other way round', async () => {
  const [alice, wire] = [await connect({ name: 'alice' }), await hub.connect('?client=wire')];
  const done = alice.prompt('from ACP');
  expect(await wire.kind('USER_MESSAGE')).toMatchObject({
    content: { text: 'from ACP' },
    origin: { surface: 'acp', client: 'alice' },
  });
  hub.engine.end();
  await done;
  await wire.prompt('from A2A');
  await until(() => alice.heard === 'from A2A');
});

describe('a permission', () => {
  test('[000-8.5] is asked of every client; the first answer wins, the others are withdrawn and told who answered', async () => {
    const [alice, bob, wire] = [await connect({ name: 'alice' }), await connect({ name: 'bob' }), await hub.connect()];
    const done = alice.prompt('go');
    await until(() => hub.engine.started.length);
    hub.engine.report({ type: 'tool', call: waitingShell() });
    const [mine, theirs] = [await alice.question(), await bob.question()];
    expect(mine.request).toMatchObject({
      toolCall: { toolCallId: 'call-1', title: 'rm -rf build', kind: 'execute', status: 'pending' },
      options: [
        { optionId: 'proceed_once', kind: 'allow_once' },
        { optionId: 'proceed_always', kind: 'allow_always' },
        { optionId: 'cancel', kind: 'reject_once' },
      ],
    });
    theirs.answer('proceed_once');
    expect(await alice.tool('in_progress')).toMatchObject({
      _meta: { cosession: { resolvedBy: { surface: 'acp', client: 'bob' }, selectedOptionId: 'proceed_once' } },
    });
    await until(() => mine.wasWithdrawn);
    expect(theirs.wasWithdrawn).toBe(false);
    expect(hub.engine.answered).toEqual([{ callId: 'call-1', answer: { optionId: 'proceed_once' } }]);
    expect(await wire.answer('call-1', 'cancel')).toMatchObject({ error: { code: -32050 } });
    hub.engine.end();
    await done;
  });

  test('that the terminal answers is withdrawn from every client', async () => {
    const alice = await connect();
    hub.engine.report({ type: 'started', text: 'typed', origin: { surface: 'tui' } });
    hub.engine.report({ type: 'tool', call: waitingShell() });
    const question = await alice.question();
    expect(hub.engine.host.tryAnswer('call-1', 'cancel')).toBe(true);
    await until(() => question.wasWithdrawn);
    expect(await alice.tool('failed')).toMatchObject({ _meta: { cosession: { resolvedBy: { surface: 'tui' } } } });
  });

  test('is not refused by a client that does not choose, or leaves; late joiners are asked', async () => {
    const [alice, bob] = [await connect(), await connect()];
    hub.engine.report({ type: 'started', text: 'typed', origin: { surface: 'tui' } });
    hub.engine.report({ type: 'tool', call: waitingShell() });
    (await alice.question()).abstain();
    await bob.question();
    bob.close();
    await until(() => hub.server.clients === 1);
    expect(hub.session.snapshot.pending).toHaveLength(1);
    const late = await connect({ name: 'late' });
    await late.find((update) => update.sessionUpdate === 'tool_call');
    (await late.question()).answer('proceed_always');
    await until(() => hub.engine.answered.length);
    expect(hub.engine.answered[0]?.answer).toEqual({ optionId: 'proceed_always' });
  });

  test('of an edit shows the diff, and a client may send a version of its own', async () => {
    const alice = await connect();
    hub.engine.report({ type: 'started', text: 'typed', origin: { surface: 'tui' } });
    hub.engine.report({ type: 'tool', call: waitingEdit() });
    const { request, answer } = await alice.question();
    expect(request.toolCall.content).toEqual([
      { type: 'diff', path: '/project/a.txt', oldText: 'old', newText: 'new' },
    ]);
    expect(request.options.map(({ optionId }) => optionId)).toEqual(['proceed_once', 'cancel']);
    answer('proceed_once', { cosession: { newContent: 'mine' } });
    await until(() => hub.engine.answered.length);
    expect(hub.engine.answered[0]?.answer).toEqual({ optionId: 'proceed_once', newContent: 'mine' });
  });
});

describe('a turn', () => {
  test('goes on when the client that prompted it is gone; loading the session tells the story and asks again', async () => {
    const alice = await connect();
    const lost = alice.prompt('long work');
    lost.catch(() => {});
    await until(() => hub.engine.started.length);
    hub.engine.say('working');
    hub.engine.report({ type: 'tool', call: waitingShell() });
    await alice.question();
    alice.close();
    await until(() => hub.server.clients === 0);
    expect(hub.engine.cancels).toBe(0);

    const again = await connect({ join: false });
    await again.load('session-1');
    expect([again.heard, again.text]).toEqual(['long work', 'working']);
    (await again.question()).answer('proceed_once');
    await until(() => hub.engine.answered.length);
  });

  test('whose command prints while a client loads it shows that client the output from its beginning', async () => {
    const call = { ...waitingShell(), status: 'executing' } as const;
    const outputOf = (client: AcpClient) =>
      client.updates
        .map(({ _meta }) => (_meta?.['terminal_output'] as { data: string } | undefined)?.data ?? '')
        .join('');
    hub.engine.report({ type: 'started', text: 'typed', origin: { surface: 'tui' } });
    const zed = { capabilities: { _meta: { terminal_output: true } } };
    const early = await connect(zed);
    hub.engine.report({ type: 'tool', call }, { type: 'tool', call: { ...call, liveOutput: 'one\n' } });
    await until(() => outputOf(early) === 'one\r\n');
    const late = await connect({ ...zed, join: false });
    await late.load('session-1');
    hub.engine.report({ type: 'tool', call: { ...call, liveOutput: 'one\ntwo\n' } });
    await until(() => outputOf(early) === 'one\r\ntwo\r\n');
    expect(outputOf(late)).toBe(outputOf(early));
  });

  test('is stopped by session/cancel of any client, and its prompter is told', async () => {
    const [alice, bob] = [await connect(), await connect()];
    const done = alice.prompt('long work');
    await until(() => hub.engine.started.length);
    await bob.cancel();
    await until(() => hub.engine.cancels === 1);
    hub.engine.end('canceled');
    expect(await done).toEqual({ stopReason: 'cancelled' });
  });

  test('that waits is taken back by session/cancel, and the running one goes on', async () => {
    const [alice, bob] = [await connect(), await connect()];
    const running = alice.prompt('first');
    await until(() => hub.engine.started.length);
    const waiting = bob.prompt('second');
    await until(() => hub.session.queued === 1);
    await bob.cancel();
    expect(await waiting).toEqual({ stopReason: 'cancelled' });
    expect(hub.engine.cancels).toBe(0);
    hub.engine.end();
    expect(await running).toEqual({ stopReason: 'end_turn' });
  });

  test('is stopped by $/cancel_request on its prompt', async () => {
    const alice = await connect();
    const stop = new AbortController();
    const done = alice.agent.request(
      'session/prompt',
      { sessionId: alice.sessionId, prompt: [{ type: 'text', text: 'long' }] },
      { cancellationSignal: stop.signal },
    );
    await until(() => hub.engine.started.length);
    stop.abort();
    await until(() => hub.engine.cancels === 1);
    hub.engine.end('canceled');
    expect(await done).toEqual({ stopReason: 'cancelled' });
  });

  test('that fails is an error of the prompt, with the reason', async () => {
    const alice = await connect();
    const done = alice.prompt('break');
    await until(() => hub.engine.started.length);
    hub.engine.end('failed', 'quota exceeded');
    await expect(done).rejects.toMatchObject({ message: 'quota exceeded' });
  });
});

test('slash commands are offered, and run as commands; other text with a slash is text', async () => {
  const alice = await connect();
  expect(await alice.find((update) => update.sessionUpdate === 'available_commands_update')).toMatchObject({
    availableCommands: [{ name: 'stats', description: 'Usage', input: { hint: '[model]' } }],
  });
  const done = alice.prompt('/stats model');
  await until(() => hub.engine.started.length);
  hub.engine.end();
  await done;
  const other = alice.prompt('/etc/hosts is a file');
  await until(() => hub.engine.started.length === 2);
  hub.engine.end();
  await other;
  expect(hub.engine.started.map(({ kind }) => kind)).toEqual(['command', 'prompt']);
});

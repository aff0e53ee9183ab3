import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { waitingShell } from '../support/manual-engine.js';
import { until } from '../support/until.js';

let hub: ServedHub;
beforeEach(async () => {
  hub = await serveHub({ model: 'gemini-2.5-flash' });
});
afterEach(() => hub.stop());

describe('joining', () => {
  test('[000-3.2.2] without a cursor a client gets a snapshot, then live events', async () => {
    const client = await hub.connect();
    expect(await client.kind('SNAPSHOT')).toEqual({
      kind: 'SNAPSHOT',
      state: 'submitted',
      pending: [],
      model: 'gemini-2.5-flash',
      seq: 0,
      queue: [],
      usage: { calls: 0 },
      clients: [
        { name: 'terminal', surface: 'tui', since: hub.session.startedAt },
        { name: 'client-1', surface: 'a2a', since: expect.any(String) as string },
      ],
      taskId: 'session-1',
    });
    hub.engine.say('hello');
    expect(await client.kind('TEXT_CONTENT')).toMatchObject({
      content: { text: 'hello' },
      seq: 1,
      taskId: 'session-1',
    });
  });

  test('a client that is dismissed has everything that happened before', async () => {
    const client = await hub.connect();
    await client.kind('SNAPSHOT');
    for (let tick = 1; tick <= 20; tick++) {
      hub.engine.say(`first of ${tick}`);
      hub.engine.say(`second of ${tick}`);
      if (tick < 20) await setImmediate();
    }
    const closed = once(client.socket, 'close');
    await hub.session.suspend();
    await closed;
    const texts = client.seen.filter(({ kind }) => kind === 'TEXT_CONTENT');
    expect(texts.map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  });

  test('a late joiner sees the open question in its snapshot and can answer it', async () => {
    const first = await hub.connect();
    await first.prompt('go');
    hub.engine.report({ type: 'tool', call: waitingShell() });
    const late = await hub.connect();
    const snapshot = await late.kind('SNAPSHOT');
    expect(snapshot).toMatchObject({
      state: 'input-required',
      pending: [{ tool_call_id: 'call-1', status: 'PENDING' }],
    });
    expect(await late.answer('call-1', 'proceed_once')).toMatchObject({
      result: { accepted: true, tool_call_id: 'call-1' },
    });
  });

  test('with a cursor it gets everything after it, without gap or repeat', async () => {
    for (let i = 1; i <= 500; i++) hub.engine.say(`${i}`);
    const client = await hub.connect('?after=100');
    for (let i = 501; i <= 600; i++) hub.engine.say(`${i}`);
    await client.find((event) => event.seq === 600);
    expect(client.seen.map((event) => event.seq)).toEqual(Array.from({ length: 500 }, (_, i) => 101 + i));
  });

  test('a cursor older than what is kept, or from another life, is told so and gets the snapshot', async () => {
    hub.engine.say('one');
    const client = await hub.connect('?after=999');
    await client.kind('SNAPSHOT');
    expect(client.seen.map((event) => event.kind)).toEqual(['RESYNC_REQUIRED', 'SNAPSHOT']);
    expect(client.seen[0]).toMatchObject({ oldest: 1, taskId: 'session-1' });
  });

  test('tasks/resubscribe on an open socket replays from a cursor', async () => {
    const client = await hub.connect();
    hub.engine.say('one');
    hub.engine.say('two');
    await client.find((event) => event.seq === 2);
    client.forget();
    await client.call('tasks/resubscribe', { id: 'session-1', after: 0 });
    await client.find((event) => event.seq === 2);
    expect(client.text).toBe('onetwo');
  });
});

describe('[001-3] sending a prompt', () => {
  test('the example of the guide, word for word, without an id', async () => {
    const client = await hub.connect('?client=wscat');
    client.socket.send(`{
      "jsonrpc": "2.0",
      "method": "message/stream",
      "params": { "message": { "content": { "text": "List the files in the current directory" } } }
    }`);
    expect(await client.kind('USER_MESSAGE')).toMatchObject({
      content: { text: 'List the files in the current directory' },
      origin: { surface: 'a2a', client: 'wscat' },
    });
    expect(hub.engine.started).toMatchObject([{ kind: 'prompt', text: 'List the files in the current directory' }]);
    expect(client.seen.some((event) => 'id' in event)).toBe(false);
  });

  test('with an id there is a reply; a prompt while a turn runs is queued and shown as queued', async () => {
    const client = await hub.connect();
    const first = await client.prompt('one');
    expect(first).toMatchObject({ result: { accepted: true, taskId: 'session-1', position: 0 } });
    expect(await client.prompt('two')).toMatchObject({ result: { accepted: true, position: 1 } });
    expect(await client.find((event) => event['queued'] === 1)).toMatchObject({
      kind: 'USER_MESSAGE',
      content: { text: 'two' },
    });
  });

  test('an A2A message with parts is understood too', async () => {
    const client = await hub.connect();
    const parts = [
      { kind: 'text', text: 'from' },
      { kind: 'text', text: 'parts' },
    ];
    await client.call('message/send', { message: { role: 'user', messageId: 'm1', parts } });
    expect(hub.engine.started[0]?.text).toBe('from\nparts');
  });

  test('the same messageId twice is one prompt', async () => {
    const client = await hub.connect();
    await client.prompt('once', { messageId: 'm1' });
    expect(await client.prompt('once', { messageId: 'm1' })).toMatchObject({ result: { duplicate: true } });
    expect(hub.engine.started).toHaveLength(1);
  });
});

describe('[000-4.1] every kind of event in the dialect of the guide', () => {
  test.each([
    [
      { type: 'text', text: 'I will list the files for you.' },
      { kind: 'TEXT_CONTENT', content: { text: 'I will list the files for you.' } },
    ],
    [
      { type: 'thought', subject: 'Plan', description: 'look' },
      { kind: 'THOUGHT', content: { subject: 'Plan', description: 'look' } },
    ],
    [
      { type: 'citation', text: 'https://example.com' },
      { kind: 'CITATION', content: { text: 'https://example.com' } },
    ],
    [
      { type: 'usage', usage: { totalTokens: 3 } },
      { kind: 'USAGE', usage: { totalTokens: 3 } },
    ],
    [
      { type: 'settings', model: 'm', approvalMode: 'yolo' },
      { kind: 'SETTINGS', model: 'm', approvalMode: 'yolo' },
    ],
    [
      { type: 'log', level: 'warn', text: 'careful' },
      { kind: 'CONSOLE_LOG', level: 'warn', content: { text: 'careful' } },
    ],
    [
      { type: 'error', message: 'no' },
      { kind: 'ERROR', message: 'no' },
    ],
  ] as const)('%j', async (event, wire) => {
    const client = await hub.connect();
    hub.engine.report(event);
    expect(await client.find((seen) => seen.seq === 1)).toEqual({
      ...wire,
      taskId: 'session-1',
      seq: 1,
      at: hub.events[0]?.at,
    });
  });

  test('with the subprotocol a2a they are TaskStatusUpdateEvents of the extension', async () => {
    const client = await hub.connect('', { protocols: ['a2a'] });
    expect(client.socket.protocol).toBe('a2a');
    await client.prompt('go');
    hub.engine.say('hi');
    hub.engine.report(
      { type: 'thought', subject: 'Plan', description: 'look' },
      { type: 'tool', call: waitingShell() },
    );
    hub.engine.end();
    await until(() => client.seen.filter((event) => event.kind === 'status-update').length >= 8);
    const events = client.seen;
    const byKind = (kind: string) =>
      events.filter((e) => (e['metadata'] as Record<string, { kind?: string }>)?.[extensionUri]?.kind === kind);
    expect(byKind('TEXT_CONTENT').at(-1)).toMatchObject({
      taskId: 'session-1',
      contextId: 'session-1',
      status: { state: 'working', message: { role: 'agent', parts: [{ kind: 'text', text: 'hi' }] } },
      final: false,
    });
    expect(byKind('THOUGHT')[0]).toMatchObject({
      status: { message: { parts: [{ kind: 'data', data: { subject: 'Plan', description: 'look' } }] } },
    });
    expect(byKind('TOOL_CALL_UPDATE')[0]).toMatchObject({
      status: {
        state: 'input-required',
        message: { parts: [{ data: { tool_call_id: 'call-1', status: 'PENDING' } }] },
      },
    });
    expect(byKind('STATE_CHANGE').at(-1)).toMatchObject({ status: { state: 'completed' }, final: true });
  });
});

describe('other methods', () => {
  test('tasks/get tells state, history and open questions', async () => {
    const client = await hub.connect();
    await client.prompt('hello');
    hub.engine.say('hi ');
    hub.engine.say('there');
    hub.engine.report({ type: 'tool', call: waitingShell() });
    const { result } = await client.call('tasks/get', { id: 'session-1' });
    expect(result).toMatchObject({
      id: 'session-1',
      contextId: 'session-1',
      status: { state: 'input-required' },
      history: [
        { role: 'user', parts: [{ text: 'hello' }] },
        { role: 'agent', parts: [{ text: 'hi there' }] },
      ],
      metadata: { queued: 0, pending: [{ tool_call_id: 'call-1' }] },
    });
  });

  test('tasks/cancel stops the turn; losing the connection does not', async () => {
    const client = await hub.connect();
    await client.prompt('go');
    client.socket.terminate();
    const other = await hub.connect();
    expect(hub.engine.cancels).toBe(0);
    expect(await other.call('tasks/cancel', { id: 'session-1' })).toMatchObject({ result: { accepted: true } });
    expect(hub.engine.cancels).toBe(1);
    hub.engine.end('canceled');
    expect(await other.state('canceled')).toMatchObject({ final: true });
    expect(await other.call('tasks/cancel', { id: 'session-1' })).toMatchObject({ error: { code: -32002 } });
  });

  test('commands are listed and run; dangerous ones are refused', async () => {
    const client = await hub.connect();
    expect(await client.call('commands/get')).toMatchObject({
      result: { commands: [{ name: 'stats', sub_commands: [] }] },
    });
    expect(await client.call('command/execute', { command_path: ['stats'], args: 'model' })).toMatchObject({
      result: { status: 'STARTED' },
    });
    expect(hub.engine.started).toMatchObject([{ kind: 'command', text: '/stats model' }]);
    expect(await client.call('command/execute', { command_path: ['quit'] })).toMatchObject({
      result: { status: 'FAILED_TO_START', message: expect.stringContaining('it ends the program') },
    });
  });
});

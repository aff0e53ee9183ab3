import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite.js';
import { AcpClient } from '../support/acp-client.js';
import { waitingShell } from '../support/manual-engine.js';
import { serveRegistry } from '../support/served-registry.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const workspace = realpathSync(temporaryFolder());
let served: Awaited<ReturnType<typeof serveRegistry>>;
let clients: AcpClient[];
let serve: () => ReturnType<typeof serveRegistry>;
beforeEach(async () => {
  clients = [];
  const file = join(temporaryFolder(), 'tasks.db');
  serve = async () => serveRegistry({ workspace, store: await openSqliteStore(file) });
  served = await serve();
});
afterEach(async () => {
  for (const client of clients) client.close();
  await served.stop();
});

async function connect(path = '/ws', name = 'tester'): Promise<AcpClient> {
  const base = path === 'http' ? `${served.server.url}acp` : `ws://127.0.0.1:${served.server.port}${path}`;
  const client = await AcpClient.connect(base, { name, join: false });
  clients.push(client);
  return client;
}

async function restart(): Promise<void> {
  await served.stop();
  served = await serve();
}

/** A turn with one reply. */
async function talk(client: AcpClient, text: string, reply: string): Promise<void> {
  const done = client.prompt(text);
  const engine = served.engine(client.sessionId);
  await until(() => engine.started.at(-1)?.text === text);
  engine.say(reply);
  engine.end();
  expect(await done).toEqual({ stopReason: 'end_turn' });
}

describe.each([['/ws'], ['/acp'], ['http']])('over %s', (path) => {
  test('session/new opens a task of its own in the folder of the client', async () => {
    const [alice, bob] = [await connect(path, 'alice'), await connect(path, 'bob')];
    await alice.join(workspace);
    await bob.join(workspace);
    expect(alice.sessionId).not.toBe(bob.sessionId);
    expect(served.engine(alice.sessionId).request.workspace).toBe(workspace);
    await talk(alice, 'for alice', 'hello alice');
    await talk(bob, 'for bob', 'hello bob');
    expect([alice.text, bob.text]).toEqual(['hello alice', 'hello bob']);
  });

  test('session/load tells the whole past of a task that is not in memory, and it goes on', async () => {
    const alice = await connect(path);
    await alice.join(workspace);
    const id = alice.sessionId;
    await talk(alice, 'first', 'one');
    await talk(alice, 'second', 'two');
    await restart();
    const again = await connect(path);
    await again.load(id);
    // Over HTTP the reply and the updates come on streams of their own.
    await until(() => again.heard === 'firstsecond' && again.text === 'onetwo');
    await talk(again, 'third', 'three');
    await until(() => again.text === 'onetwothree');
  });
});

test('session/new in a folder that the server does not serve is refused, and no task is made', async () => {
  const alice = await connect();
  await expect(alice.join('/')).rejects.toMatchObject({
    code: -32065,
    message: 'the workspace "/" is outside the folders that this server serves',
    data: { code: 'workspace-not-allowed' },
  });
  expect((await alice.agent.request('session/list', {})).sessions).toEqual([]);
});

test('a question that a restart interrupted is asked again of who loads or resumes its task', async () => {
  const alice = await connect();
  await alice.join(workspace);
  alice.prompt('remove it').catch(() => {});
  const id = alice.sessionId;
  await until(() => served.engine(id).started.length);
  served.engine(id).report({ type: 'tool', call: waitingShell() });
  await alice.question();
  await restart();
  const [loading, resuming] = [await connect('/ws', 'loading'), await connect('/ws', 'resuming')];
  await loading.load(id);
  await resuming.agent.request('session/resume', { sessionId: id, cwd: workspace, mcpServers: [] });
  const asked = await loading.question();
  expect([loading.heard, resuming.heard]).toEqual(['remove it', '']);
  (await resuming.question()).answer('proceed_once');
  await until(() => asked.wasWithdrawn);
  await until(() => served.engine(id).answered.length);
  expect(served.engine(id).answered).toEqual([{ callId: 'call-1', answer: { optionId: 'proceed_once' } }]);
});

test('a history longer than memory keeps is told from its beginning, in order', async () => {
  const alice = await connect();
  await alice.join(workspace);
  const counted = alice.prompt('count');
  const engine = served.engine(alice.sessionId);
  await until(() => engine.started.length);
  const numbers = Array.from({ length: 12_000 }, (_, i) => `${i} `);
  for (const number of numbers) engine.say(number);
  engine.end();
  await counted;
  const late = await connect();
  await late.load(alice.sessionId);
  expect(late.heard).toBe('count');
  expect(late.text).toBe(numbers.join(''));
});

test('a connection takes part in 64 sessions, and in another when it has closed one', async () => {
  const alice = await connect();
  for (let i = 0; i < 64; i++) await alice.join(workspace);
  const last = alice.sessionId;
  const tooMany = 'a connection takes part in at most 64 sessions: close one of them first';
  await expect(alice.join(workspace)).rejects.toThrow(tooMany);
  const { id: other } = await served.registry.open('another');
  await expect(alice.agent.request('session/load', { sessionId: other, cwd: '/', mcpServers: [] })).rejects.toThrow(
    tooMany,
  );
  await alice.load(last);
  await alice.agent.request('session/close', { sessionId: last });
  await alice.load(other);
});

test('requests over HTTP stay within the listeners that a response may have', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  const alice = await connect('http');
  await alice.join(workspace);
  await talk(alice, 'hello', 'hi');
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

describe('session/list', () => {
  test('has all tasks with folder, title and time, newest first, page by page', async () => {
    const alice = await connect();
    for (let i = 0; i < 60; i++) await served.registry.open(`task-${i}`);
    await alice.load('task-7');
    await talk(alice, 'the newest task', 'done');
    const first = await alice.agent.request('session/list', {});
    expect(first.sessions).toHaveLength(50);
    expect(first.sessions[0]).toEqual({
      sessionId: 'task-7',
      cwd: workspace,
      title: 'the newest task',
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const second = await alice.agent.request('session/list', { cursor: first.nextCursor ?? '' });
    expect(second.nextCursor).toBeUndefined();
    const ids = [...first.sessions, ...second.sessions].map(({ sessionId }) => sessionId);
    expect(new Set(ids).size).toBe(60);
    await expect(alice.agent.request('session/list', { cursor: 'made up' })).rejects.toMatchObject({ code: -32602 });
  });

  test('has the tasks of one folder, whichever way it is named', async () => {
    const [one, link] = [join(workspace, 'one'), join(workspace, 'link')];
    mkdirSync(one);
    symlinkSync(one, link);
    const alice = await connect();
    await alice.join(one);
    await served.registry.open('elsewhere');
    for (const cwd of [one, link]) {
      const { sessions } = await alice.agent.request('session/list', { cwd });
      expect(sessions.map(({ sessionId }) => sessionId)).toEqual([alice.sessionId]);
    }
    expect((await alice.agent.request('session/list', { cwd: '/nowhere' })).sessions).toEqual([]);
  });
});

test('session/close leaves the task, session/delete ends it for everybody', async () => {
  const [alice, bob] = [await connect('/ws', 'alice'), await connect('/ws', 'bob')];
  await alice.join(workspace);
  const sessionId = alice.sessionId;
  await alice.agent.request('session/close', { sessionId });
  await expect(alice.prompt('hello?')).rejects.toMatchObject({ code: -32002 });
  await bob.load(sessionId);
  await bob.agent.request('session/delete', { sessionId });
  await expect(alice.load(sessionId)).rejects.toMatchObject({ code: -32002 });
  await bob.agent.request('session/delete', { sessionId });
  expect(served.engine(sessionId).isDisposed).toBe(true);
});

test('what a client may do is said at the beginning', async () => {
  const alice = await connect();
  const { agentCapabilities } = await alice.agent.request('initialize', { protocolVersion: 1 });
  expect(agentCapabilities).toMatchObject({
    loadSession: true,
    sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
  });
});

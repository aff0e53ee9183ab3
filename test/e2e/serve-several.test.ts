import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { openStore } from '../../src/stores/open.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { goOn, scriptOf, twoLines } from '../support/scripts.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const command = `echo begun >> ran.log; ${twoLines}; echo ended >> ran.log`;
const model = await startModelServer(
  scriptOf({
    work: [call('run_shell_command', { command, description: 'work for a while' })],
    write: [call('write_file', { file_path: 'made.txt', content: 'made\n' })],
  }),
);
afterAll(() => model.close());

let database: PostgresServer;
beforeAll(async () => {
  database = await startPostgres();
});
afterAll(() => database.remove());

const say = (contextId: string, text: string) => ({ contextId, userMessage: { kind: 'text-content', text } });
const approve = (taskId: string, toolCallId: unknown) => ({
  taskId,
  userMessage: { kind: 'tool-call-confirmation', toolCallId, approved: true },
});

type TaskAnswer = { state?: string; metadata?: { pending?: { tool_call_id: string }[] }; error?: { code: string } };

/** Opens the task, which makes it that server's, and reads it. */
async function taskAt(served: ServeProcess, id: string): Promise<TaskAnswer & { status: number; again: number }> {
  const opened = await served.post('tasks', { contextId: id });
  const response = opened.ok ? await fetch(`${served.base}/tasks/${id}`) : opened;
  const again = Number(response.headers.get('retry-after'));
  return { ...((await response.json()) as TaskAnswer), status: response.status, again };
}

/** Asks for a task until it is given. */
async function untilGiven(served: ServeProcess, id: string): Promise<TaskAnswer> {
  for (;;) {
    const task = await taskAt(served, id);
    if (task.status === 200) return task;
    expect(task).toMatchObject({ status: 503, error: { code: 'task-elsewhere' } });
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** A task that waits for the approval of a file. The id of the question. */
async function ask(served: ServeProcess, id: string): Promise<unknown> {
  const asked = await eventsOf(await served.post('message/stream', say(id, 'write')));
  return asked.find(({ data }) => data['kind'] === 'tool-call-confirmation')?.data['toolCallId'];
}

/** In the name of the server that has the task. */
async function endLease(url: string, taskId: string): Promise<void> {
  const options = { stateDir: '/nowhere', env: {} };
  const looking = await openStore(url, options);
  const server = (await looking.holder(taskId))?.server ?? '';
  await looking.close();
  const store = await openStore(url, { ...options, server });
  await store.saveServer({ leaseMs: 0 });
  await store.close();
}

/** So long that none runs out because the machine is busy. */
const longLease = ['--lease-seconds', '600'];

test('servers on one database: a task is run by one, and by another when that one is gone', async () => {
  const store = await database.newPlace();
  const start = (folder: string) => {
    const args = ['--store', store, ...longLease, '--allow-tool', 'run_shell_command'];
    return startServe({ folder, modelUrl: model.url, args });
  };
  const folder = temporaryFolder();
  const first = await start(folder);
  const working = first.post('message/stream', say('one', 'work')).then(eventsOf);
  const log = join(folder, 'workspace', 'ran.log');
  await until(() => existsSync(log));

  // The second one does not touch the tool that runs.
  const second = await start(temporaryFolder());
  const busy = await taskAt(second, 'one');
  expect(busy).toMatchObject({ status: 503, error: { code: 'task-elsewhere' } });
  expect(busy.again).toBeGreaterThanOrEqual(1);
  goOn(join(folder, 'workspace'));
  expect((await working).at(-1)?.data).toMatchObject({ state: 'completed' });
  expect(readFileSync(log, 'utf8')).toBe('begun\nended\n');

  // After kill -9 it waits for the lease, and the question is there.
  const question = await ask(first, 'two');
  first.kill('SIGKILL');
  await first.exit;
  expect((await taskAt(second, 'two')).status).toBe(503);
  await endLease(store, 'two');
  const taken = await untilGiven(second, 'two');
  expect(taken).toMatchObject({ state: 'input-required', metadata: { pending: [{ tool_call_id: question }] } });
  const rest = await eventsOf(await second.post('message/stream', approve('two', question)));
  expect(rest.at(-1)?.data).toMatchObject({ state: 'completed' });
  expect(readFileSync(join(folder, 'workspace', 'made.txt'), 'utf8')).toBe('made\n');

  // One that stops in good order gives everything away at once.
  const third = await start(temporaryFolder());
  const next = await ask(second, 'three');
  expect((await taskAt(third, 'three')).status).toBe(503);
  second.kill('SIGTERM');
  expect(await second.exit).toBe(0);
  expect(await taskAt(third, 'three')).toMatchObject({ metadata: { pending: [{ tool_call_id: next }] } });
  third.kill('SIGTERM');
  expect(await third.exit).toBe(0);
});

test('a server that was paused for longer than its lease lets go of what was taken over, and lives on', async () => {
  const store = await database.newPlace();
  const start = (...lease: string[]) =>
    startServe({ folder: temporaryFolder(), modelUrl: model.url, args: ['--store', store, ...lease] });
  // The other one only takes what it is asked for: its own look at the leases is minutes away.
  const [paused, other] = [await start('--lease-seconds', '2'), await start(...longLease)];
  const question = await ask(paused, 'one');
  const socket = new WebSocket(`${paused.base.replace('http', 'ws')}/ws?taskId=one&protocol=endpoint`);
  const closed = new Promise<number>((done) => socket.once('close', done));
  await new Promise((done) => socket.once('open', done));
  paused.kill('SIGSTOP');
  await untilGiven(other, 'one');
  paused.kill('SIGCONT');
  expect(await paused.logged('task lost')).toMatchObject({ taskId: 'one' });
  expect(await closed).toBe(1001);
  const late = await paused.post('message/stream', approve('one', question));
  expect([late.status, await late.json()]).toMatchObject([503, { error: { code: 'task-elsewhere' } }]);
  expect((await fetch(`${paused.base}/health`)).status).toBe(200);
  const rest = await eventsOf(await other.post('message/stream', approve('one', question)));
  expect(rest.at(-1)?.data).toMatchObject({ state: 'completed' });
});

test('on one machine nobody waits for a lease: neither another server nor the next start', async () => {
  const folder = temporaryFolder();
  const first = await startServe({ folder, modelUrl: model.url, args: longLease });
  const second = await startServe({ folder, modelUrl: model.url, args: longLease });
  const question = await ask(first, 'one');
  expect((await taskAt(second, 'one')).status).toBe(503);
  first.kill('SIGKILL');
  await first.exit;
  const pending = [{ tool_call_id: question }];
  expect(await taskAt(second, 'one')).toMatchObject({ state: 'input-required', metadata: { pending } });
  second.kill('SIGKILL');
  await second.exit;
  const third = await startServe({ folder, modelUrl: model.url, args: longLease });
  await third.logged('tasks recovered after a restart');
  expect(await taskAt(third, 'one')).toMatchObject({ state: 'input-required', metadata: { pending } });
});

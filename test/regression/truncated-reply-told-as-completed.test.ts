import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call, say } from '../../src/demo/reply.js';
import { scriptOf } from '../support/scripts.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

let goOn = (): void => {};
const held = new Promise<void>((resolve) => (goOn = resolve));
const model = await startModelServer(
  scriptOf({
    speak: { chunks: [[say('begun')], [say(' and ended')]], holdLast: held },
    write: [call('write_file', { file_path: 'made.txt', content: 'made\n' })],
  }),
);
afterAll(() => model.close());

/** The same prompt in every dialect that streams a turn. */
const dialects: readonly (readonly [task: string, path: string, body: object])[] = [
  ['coder-agent', 'message/stream', { contextId: 'coder-agent', userMessage: { kind: 'text-content', text: 'speak' } }],
  ['endpoint', 'tasks/endpoint/messages/stream', { message: { content: { text: 'speak' } } }],
  ['execute', 'tasks/execute/execute', { message: 'speak' }],
  ['v03', '', rpc('message/stream', { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'speak' }] })],
];

function rpc(method: string, message: object): object {
  return { jsonrpc: '2.0', id: 1, method, params: { message: { ...message, messageId: 'm', contextId: 'v03' } } };
}

async function stateOf({ base }: ServeProcess, id: string): Promise<{ state: string; text: string }> {
  const text = await (await fetch(`${base}/tasks/${id}`)).text();
  return { state: (JSON.parse(text) as { state: string }).state, text };
}

async function untilSaid(served: ServeProcess, id: string, words: string): Promise<void> {
  await until(async () => (await stateOf(served, id)).text.includes(words));
}

async function untilSettled(served: ServeProcess, id: string): Promise<{ state: string; text: string }> {
  return until(async () => {
    const task = await stateOf(served, id);
    return task.state === 'working' ? undefined : task;
  });
}

test('a reply that the store lost a part of has failed, on every stream and after it', async () => {
  const folder = temporaryFolder();
  const served = await startServe({ folder, modelUrl: model.url });
  for (const [task] of dialects) await served.post('tasks', { contextId: task });
  const streams = dialects.map(async ([, path, body]) => eventsOf(await served.post(path, body)));
  for (const [task] of dialects) await untilSaid(served, task, 'begun');
  const file = join(folder, 'state', 'tasks.db');
  const other = new Database(file, { timeout: 10_000 });
  // As another server that opens the store, and does not come to an end.
  other.exec('begin immediate');
  for (const name of readdirSync(`${file}-journals`)) appendFileSync(join(`${file}-journals`, name), 'closed\n');
  goOn();
  const [coderAgent, endpoint, execute, v03] = (await Promise.all(streams)).map((events) => events.at(-1));
  other.exec('rollback');
  other.close();

  const lost = expect.stringContaining('part of this turn was lost') as string;
  expect(coderAgent?.data).toMatchObject({ kind: 'state-change', state: 'failed', final: true, error: lost });
  expect(endpoint?.data).toMatchObject({ kind: 'STATE_CHANGE', state: 'failed', final: true, error: lost });
  expect(execute?.data).toMatchObject({ type: 'state_change', state: 'error', error: lost });
  expect(v03?.data).toMatchObject({ result: { kind: 'status-update', final: true, status: { state: 'failed' } } });
  for (const [id] of dialects) {
    const { state, text } = await untilSettled(served, id);
    expect([id, state]).toEqual([id, 'failed']);
    expect(text).not.toContain('and ended');
  }
  // The task itself is well.
  const again = await eventsOf(await served.post('tasks/execute/execute', { message: 'hello' }));
  expect(again.at(-1)?.data).toMatchObject({ state: 'completed' });
});

test('a checkpoint that knows more than the log is not believed', async () => {
  const folder = temporaryFolder();
  const first = await startServe({ folder, modelUrl: model.url });
  const say = (text: string) => ({ contextId: 'one', userMessage: { kind: 'text-content', text } });
  await eventsOf(await first.post('message/stream', say('write')));
  expect(await stateOf(first, 'one')).toMatchObject({ state: 'input-required' });
  first.kill('SIGKILL');
  await first.exit;
  // Only a store that went back in time does this, such as a backup that was put together from parts.
  const database = new Database(join(folder, 'state', 'tasks.db'));
  database.exec(`delete from events where seq > (select max(seq) from events where body like '%"state":"working"%')`);
  database.close();

  const second = await startServe({ folder, modelUrl: model.url });
  expect(await untilSettled(second, 'one')).toMatchObject({ state: 'failed' });
  second.kill('SIGTERM');
  await second.exit;
  const log = new Database(join(folder, 'state', 'tasks.db'));
  const last = JSON.stringify(log.prepare('select body from events order by seq desc limit 1').get());
  log.close();
  expect(last).toContain('the store has fewer events than it had');
});

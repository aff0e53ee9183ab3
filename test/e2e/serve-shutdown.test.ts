import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startModelServer } from '../support/model-server.js';
import { call, say } from '../../src/demo/reply.js';
import { listenOnLoopback } from '../../src/util/net/listen-on-loopback.js';
import { outputOf } from '../support/command.js';
import { scriptOf } from '../support/scripts.js';
import { startServe } from '../support/serve-process.js';
import { eventsOf, readUntil } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

let goOn = (): void => {};
const goingOn = new Promise<void>((resolve) => (goOn = resolve));
const model = await startModelServer(
  scriptOf({
    slow: { chunks: [[say('first words, ')], [say('last words')]], holdLast: goingOn },
    endless: { chunks: [[say('begun')], [say('never')]], holdLast: new Promise(() => {}) },
    tool: [call('run_shell_command', { command: 'echo ran >> ran.log', description: 'note that it ran' })],
  }),
);
afterAll(() => model.close());
const modelUrl = model.url;

/** What is done while the server shuts down may take a busy machine its time. */
const patient = ['--drain-seconds', '300'];

const prompt = (contextId: string, text: string) => ({ contextId, userMessage: { kind: 'text-content', text } });

test('[003-11.8] SIGTERM lets a running turn end, says not ready meanwhile, and leaves with 0', async () => {
  const served = await startServe({ folder: temporaryFolder(), modelUrl, args: patient });
  const stream = eventsOf(await served.post('message/stream', prompt('one', 'slow')));
  const socket = new WebSocket(`${served.base.replace('http', 'ws')}/ws?taskId=one&after=0`);
  let said = '';
  socket.on('message', (data: Buffer) => (said += data.toString()));
  const closed = new Promise<number>((done) => socket.once('close', done));
  await until(() => said.includes('first words'));
  served.kill('SIGTERM');
  await served.logged('shutting down');
  const ready = await fetch(`${served.base}/ready`);
  expect([ready.status, await ready.json()]).toMatchObject([503, { error: { code: 'not-ready' } }]);
  expect((await fetch(`${served.base}/health`)).status).toBe(200);
  const refused = await served.post('tasks', { contextId: 'two' });
  expect([refused.status, await refused.json()]).toMatchObject([503, { error: { code: 'shutting-down' } }]);
  const late = await served.post('message/stream', {
    taskId: 'one',
    userMessage: { kind: 'text-content', text: 'hi' },
  });
  expect([late.status, await late.json()]).toMatchObject([503, { error: { code: 'shutting-down' } }]);
  expect(late.headers.get('retry-after')).toBe('5');

  goOn();
  const events = await stream;
  expect(events.at(-1)?.data).toMatchObject({ kind: 'state-change', state: 'completed', final: true });
  expect(JSON.stringify(events)).toContain('last words');
  expect(await closed).toBe(1001);
  expect(await served.exit).toBe(0);
  expect(served.log.at(-1)).toMatchObject({ msg: 'stopped' });
  const streamed = served.log.find(({ route, status }) => route === '/message/stream' && status === 200);
  expect(streamed).toMatchObject({ msg: 'request', level: 'info', status: 200, taskId: 'one' });
});

test('a turn that does not end in time is told of after the restart, and the task goes on', async () => {
  const folder = temporaryFolder();
  const first = await startServe({ folder, modelUrl, args: ['--drain-seconds', '0.2'] });
  const stream = await first.post('message/stream', prompt('one', 'endless'));
  await readUntil(stream, ({ data }) => data['text'] === 'begun');
  first.kill('SIGINT');
  expect(await first.exit).toBe(0);

  const second = await startServe({ folder, modelUrl });
  await until(() => second.log.some(({ msg }) => msg === 'tasks recovered after a restart'));
  const again = await eventsOf(await second.post('message/stream', prompt('one', 'hello')));
  expect(again.at(-1)?.data).toMatchObject({ state: 'completed' });
  const task = (await (await fetch(`${second.base}/tasks/one`)).json()) as { history: unknown[] };
  expect(JSON.stringify(task.history)).toContain('endless');
  second.kill('SIGTERM');
  await second.exit;
});

test('[003-6] kill -9 while a tool waits for its approval: it is asked about again, and runs once', async () => {
  const folder = temporaryFolder();
  const first = await startServe({ folder, modelUrl });
  const asked = await eventsOf(await first.post('message/stream', prompt('one', 'tool')));
  const question = asked.find(({ data }) => data['kind'] === 'tool-call-confirmation')?.data;
  first.kill('SIGKILL');
  expect(await first.exit).toBe('SIGKILL');

  const second = await startServe({ folder, modelUrl });
  const answer = { kind: 'tool-call-confirmation', toolCallId: question?.['toolCallId'], approved: true };
  const rest = await eventsOf(await second.post('message/stream', { taskId: 'one', userMessage: answer }));
  expect(rest.at(-1)?.data).toMatchObject({ state: 'completed' });
  expect(readFileSync(join(folder, 'workspace', 'ran.log'), 'utf8')).toBe('ran\n');
  second.kill('SIGTERM');
  expect(await second.exit).toBe(0);

  const third = await startServe({ folder, modelUrl });
  expect(await (await fetch(`${third.base}/tasks/one`)).json()).toMatchObject({ state: 'completed' });
  expect(readFileSync(join(folder, 'workspace', 'ran.log'), 'utf8')).toBe('ran\n');
});

test('while it shuts down questions are answered and turns are cancelled, and what waits is for the next start', async () => {
  const folder = temporaryFolder();
  const first = await startServe({ folder, modelUrl, args: patient });
  await eventsOf(await first.post('message/stream', prompt('asking', 'tool')));
  const question = await fetch(`${first.base}/tasks/asking`).then((response) => response.json());
  const { tool_call_id: toolCallId } = (question as { metadata: { pending: { tool_call_id: string }[] } }).metadata
    .pending[0] ?? { tool_call_id: '' };
  const stuck = await first.post('message/stream', prompt('stuck', 'endless'));
  await first.post('tasks/stuck/messages/stream', { message: { content: { text: 'and then hello' } } }).catch(() => {});
  first.kill('SIGTERM');
  await first.logged('shutting down');
  const answer = { kind: 'tool-call-confirmation', toolCallId, approved: true };
  const rest = await eventsOf(await first.post('message/stream', { taskId: 'asking', userMessage: answer }));
  expect(rest.at(-1)?.data).toMatchObject({ state: 'completed' });
  expect((await first.post('tasks/stuck/cancel', {})).status).toBe(202);
  expect((await eventsOf(stuck)).at(-1)?.data).toMatchObject({ state: 'canceled' });
  expect(await first.exit).toBe(0);

  const second = await startServe({ folder, modelUrl });
  const history = async (): Promise<string> => (await fetch(`${second.base}/tasks/stuck`)).text();
  await until(async () => (await history()).includes('You said: and then hello'));
});

test('a second SIGINT stops the server immediately', async () => {
  const served = await startServe({ folder: temporaryFolder(), modelUrl });
  await readUntil(
    await served.post('message/stream', prompt('one', 'endless')),
    ({ data }) => data['text'] === 'begun',
  );
  served.kill('SIGINT');
  await served.logged('shutting down');
  served.kill('SIGINT');
  expect(await served.exit).toBe(130);
});

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, COSESSION_STATE_DIR: temporaryFolder() };
  return new Promise((done) => {
    execFile(process.execPath, [resolve('dist/main.js'), 'serve', ...args], { env }, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

test('a port in use is one sentence and exit code 1', async () => {
  const blocker = createServer();
  const port = await listenOnLoopback(blocker, 0);
  expect(await run('--demo', '--port', String(port))).toEqual({
    code: 1,
    stdout: '',
    stderr: `cosession: port ${port} is in use; choose another with --port, or 0 for any free one\n`,
  });
  blocker.close();
});

test.each([
  ['an unknown flag', ['--no-such'], 'cosession: cosession serve has no flag --no-such; see cosession serve --help\n'],
  ['a missing value', ['--port'], 'cosession: --port needs a value; see cosession serve --help\n'],
  ['a bad number', ['--max-running', 'many'], 'cosession: --max-running must be a number, got "many"\n'],
])('%s is one sentence and exit code 2', async (_name, args, stderr) => {
  expect(await run(...args)).toEqual({ code: 2, stdout: '', stderr });
});

test('serve --help names every flag and its environment variable', async () => {
  const { code, stdout } = await run('--help');
  expect(code).toBe(0);
  expect(stdout).toContain('--drain-seconds <n>');
  expect(stdout).toContain('[CODER_AGENT_PORT]');
});

test('an admin drains a server by a command, which returns when it has stopped', async () => {
  const served = await startServe({ folder: temporaryFolder(), modelUrl, args: patient });
  const stream = served.post('message/stream', prompt('one', 'tool'));
  await served.post('message/stream', prompt('two', 'hello')).then((response) => response.text());
  expect(await outputOf('drain', [served.base])).toMatch(
    /accepts no more work; \d turns? (is|are) running.\n.* has stopped\.\n$/,
  );
  expect(await served.exit).toBe(0);
  await (await stream).text().catch(() => undefined);
});

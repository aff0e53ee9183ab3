import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { say } from '../../src/demo/reply.js';
import { lastPrompt } from '../../src/demo/script.js';
import { scriptOf } from '../support/scripts.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

let release = (): void => {};
const released = new Promise<void>((resolve) => (release = resolve));
let releaseLater = (): void => {};
const releasedLater = new Promise<void>((resolve) => (releaseLater = resolve));
const held = (until: Promise<void>) => ({ chunks: [[say('begun')], [say('done')]], holdLast: until });
const model = await startModelServer(scriptOf({ long: held(released), slow: held(releasedLater) }));
afterAll(() => model.close());

/** However long the figures take to be right. */
const mayAskOften = ['--rate-limit', '0'];

const prompt = (contextId: string, text: string) => ({ contextId, userMessage: { kind: 'text-content', text } });

async function metric({ base }: ServeProcess, name: string): Promise<number> {
  // A server that was busy for longer than it keeps connections open resets the one that a request was just sent on.
  const text = await (await fetch(`${base}/metrics`, { headers: { connection: 'close' } })).text();
  return Number(new RegExp(`^cosession_${name} (.*)$`, 'm').exec(text)?.[1]);
}

function tokenOf(name: string, folder: string): string {
  const args = ['dist/main.js', 'token', 'create', '--name', name, '--scope', 'prompt', '--json'];
  const env = { ...process.env, COSESSION_STATE_DIR: join(folder, 'state') };
  const made = JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8' })) as { token: string };
  return made.token;
}

async function untilMetric(served: ServeProcess, name: string, wanted: number): Promise<void> {
  await until(async () => (await metric(served, name)) === wanted);
}

test('[003-11.4] turns beyond --max-running wait, those beyond --max-queued are refused, and each gets its turn', async () => {
  const args = ['--max-running', '1', '--max-queued', '1', ...mayAskOften];
  const served = await startServe({ folder: temporaryFolder(), modelUrl: model.url, args });
  const first = served.post('message/stream', prompt('one', 'long work'));
  await untilMetric(served, 'tasks_running', 1);
  const second = served.post('message/stream', prompt('two', 'long work'));
  await untilMetric(served, 'tasks_queued', 1);
  expect((await fetch(`${served.base}/ready`)).status).toBe(503);
  const third = await served.post('message/stream', prompt('three', 'long work'));
  expect([third.status, await third.json()]).toMatchObject([503, { error: { code: 'not-ready' } }]);
  release();
  for (const stream of [first, second])
    expect((await eventsOf(await stream)).at(-1)?.data).toMatchObject({ state: 'completed' });
});

test('[003-11.4] who asked for much does not hold up who asked for little', async () => {
  const folder = temporaryFolder();
  const served = await startServe({ folder, modelUrl: model.url, args: ['--max-running', '1', ...mayAskOften] });
  const ask = async (token: string, id: string, text: string): Promise<void> => {
    await eventsOf(await served.post('message/stream', prompt(id, text), { authorization: `Bearer ${token}` }));
  };
  const [greedy, modest] = [tokenOf('greedy', folder), tokenOf('modest', folder)];
  const turns = [ask(greedy, 'first', 'slow work')];
  await untilMetric(served, 'tasks_running', 1);
  for (const [index, id] of ['second', 'third', 'fourth'].entries()) {
    turns.push(ask(greedy, id, `the ${id}`));
    await untilMetric(served, 'tasks_queued', index + 1);
  }
  turns.push(ask(modest, 'little', 'the little'));
  await untilMetric(served, 'tasks_queued', 4);
  releaseLater();
  await Promise.all(turns);
  const asked = model.requests.map(lastPrompt);
  expect(asked).toContain('the third');
  expect(asked.indexOf('the little')).toBeLessThan(asked.indexOf('the third'));
});

test('[003-11.7] a task that nobody uses leaves memory and comes back with its history', async () => {
  const args = ['--idle-minutes', '0.01', ...mayAskOften];
  const served = await startServe({ folder: temporaryFolder(), modelUrl: model.url, args });
  await eventsOf(await served.post('message/stream', prompt('one', 'hello')));
  await untilMetric(served, 'tasks_loaded', 0);
  const task = (await (await fetch(`${served.base}/tasks/one`)).json()) as { state: string; history: unknown[] };
  expect(task.state).toBe('completed');
  expect(JSON.stringify(task.history)).toContain('You said: hello');
});

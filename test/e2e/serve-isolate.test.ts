import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call, say } from '../../src/demo/reply.js';
import { scriptOf } from '../support/scripts.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const model = await startModelServer(
  scriptOf({
    hello: [say('Hello there')],
    endless: { chunks: [[say('begun')], [say('never')]], holdLast: new Promise(() => {}) },
    tool: [call('run_shell_command', { command: 'echo ran >> ran.log', description: 'note that it ran' })],
  }),
);
afterAll(() => model.close());

type Seen = Record<string, unknown>;

async function all(served: ServeProcess, contextId: string, userMessage: object): Promise<Seen[]> {
  const events = await eventsOf(await served.post('message/stream', { contextId, userMessage }));
  return events.map(({ data }) => data);
}

const text = (said: string) => ({ kind: 'text-content', text: said });
const approval = (toolCallId: unknown) => ({ kind: 'tool-call-confirmation', toolCallId, approved: true });
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

test('--isolate: each task has a process of its own; one that dies takes its turn with it and nothing else', async () => {
  const folder = temporaryFolder();
  const served = await startServe({ folder, modelUrl: model.url, args: ['--isolate'] });
  expect((await all(served, 'one', text('hello'))).at(-1)).toMatchObject({ kind: 'state-change', state: 'completed' });
  expect((await all(served, 'two', text('hello'))).at(-1)).toMatchObject({ state: 'completed' });
  const [first = 0, ...others] = childrenOf(served.pid);
  expect(others).toHaveLength(1);

  const cut = all(served, 'one', text('endless'));
  await until(() => model.requests.some(({ contents }) => JSON.stringify(contents.at(-1)).includes('endless')));
  process.kill(first, 'SIGKILL');
  expect((await cut).at(-1)).toMatchObject({ state: 'failed' });
  expect(childrenOf(served.pid)).toEqual(others);

  const asked = await all(served, 'one', text('tool'));
  expect(JSON.stringify(model.requests.at(-1)?.contents)).toContain('Hello there');
  const question = asked.find(({ kind }) => kind === 'tool-call-confirmation');
  served.kill('SIGKILL');
  await served.exit;
  await until(() => others.every((pid) => !isAlive(pid)));

  const again = await startServe({ folder, modelUrl: model.url, args: ['--isolate'] });
  const rest = await all(again, 'one', approval(question?.['toolCallId']));
  expect(rest.at(-1)).toMatchObject({ state: 'completed' });
  expect(readFileSync(join(folder, 'workspace', 'ran.log'), 'utf8')).toBe('ran\n');
  again.kill('SIGTERM');
  expect(await again.exit).toBe(0);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

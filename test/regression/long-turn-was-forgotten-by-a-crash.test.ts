import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { lastPrompt } from '../../src/demo/script.js';
import { type Part, say, think } from '../../src/demo/reply.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { WireClient } from '../support/wire-client.js';

/** More events than a session keeps in memory. */
const pieces = 11_000;

const model = await startModelServer((request) =>
  lastPrompt(request).includes('talk')
    ? { chunks: [...Array.from({ length: pieces }, (_, n) => [pieceOf(n)]), []], holdLast: new Promise(() => {}) }
    : { chunks: [[say('short')]] },
);
afterAll(() => model.close());

test('a turn of more than 10,000 events and what is queued behind it survive a crash', async () => {
  const folder = temporaryFolder();
  const first = await startServe({ folder, modelUrl: model.url });
  await first.post('tasks', { contextId: 'long' });
  const watcher = await watch(first);
  const early = (await watcher.prompt('be short', { messageId: 'zero' }))['result'] as { turnId: string };
  await watcher.state('completed');
  await watcher.prompt('talk', { messageId: 'one' });
  await watcher.find(({ seq }) => (seq ?? 0) > pieces);
  const { turnId } = await watcher.find(({ kind, content }) => kind === 'TEXT_CONTENT' && isText(content, '0 '));
  const queued = (await watcher.prompt('be short', { messageId: 'two' }))['result'] as { turnId: string };
  first.kill('SIGKILL');
  await first.exit;

  const second = await startServe({ folder, modelUrl: model.url });
  const back = await watch(second);
  // The model spoke for the first time: the turn cannot go on, but it ends, and the next one runs.
  const states = await until(async () => {
    const states = await statesOf(back);
    return states.filter(([, , final]) => final === true).length === 2 && states;
  });
  expect(states).toMatchObject([
    [turnId, 'failed', true],
    [queued.turnId, 'working', undefined],
    [queued.turnId, 'completed', true],
  ]);
  expect(await back.prompt('talk', { messageId: 'one' })).toMatchObject({ result: { turnId, duplicate: true } });
  expect(await back.prompt('be short', { messageId: 'zero' })).toMatchObject({ result: { ...early, duplicate: true } });
  expect(await get(second, early.turnId)).toMatchObject({
    result: { status: { state: 'completed' }, artifacts: [{ parts: [{ text: 'short' }] }] },
  });
  const long = await get(second, String(turnId));
  expect(long).toMatchObject({ result: { id: turnId, status: { state: 'failed' }, contextId: 'long' } });
  expect(long).toMatchObject({ result: { history: [{ messageId: 'one' }, { role: 'agent' }] } });
  expect(JSON.stringify(long)).toContain('"text":"0 2 4 6 ');
});

/** Text that comes at once is gathered into one event; between thoughts it is not. */
function pieceOf(n: number): Part {
  return n % 2 === 0 ? say(`${n} `) : think('Counting', String(n));
}

function watch(serve: ServeProcess): Promise<WireClient> {
  return WireClient.connect(`${serve.base.replace('http', 'ws')}/ws?taskId=long&after=${pieces}`);
}

/** The changes of state that a client has seen. */
async function statesOf({ seen }: WireClient): Promise<readonly (readonly [unknown, unknown, unknown])[]> {
  return seen
    .filter(({ kind }) => kind === 'STATE_CHANGE')
    .map(({ turnId, state, final }) => [turnId, state, final] as const);
}

async function get(serve: ServeProcess, id: string): Promise<unknown> {
  return (await serve.post('', { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id } })).json();
}

function isText(content: unknown, text: string): boolean {
  return JSON.stringify(content) === JSON.stringify({ text });
}

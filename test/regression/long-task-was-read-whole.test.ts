import { afterAll, expect, test } from 'vitest';
import { startCountingModel } from '../support/counting-model.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { useStorePlaces } from '../support/store-places.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { WireClient } from '../support/wire-client.js';

const model = await startCountingModel();
const places = useStorePlaces();
afterAll(() => model.close());

test.each(places)('%s: whoever opens or reads a long task reads only what is needed', async (_name, placeIn) => {
  const folder = temporaryFolder();
  const { url, change } = await placeIn(folder);
  const start = () => startServe({ folder, modelUrl: model.url, args: ['--store', url] });
  const first = await start();
  await first.post('tasks', { contextId: 'long' });
  const client = await watch(first);
  const ended = (turns: number) =>
    until(() => client.seen.filter(({ kind, final }) => kind === 'STATE_CHANGE' && final === true).length === turns);
  const early = (await client.prompt('be short', { messageId: 'zero' }))['result'] as { turnId: string };
  await ended(1);
  await client.prompt('count to 7000', { messageId: 'one' });
  await ended(2);
  const newest = Number(client.seen.at(-1)?.seq);
  first.kill('SIGKILL');
  await first.exit;

  // Nobody can read these any more, and so nobody may want to. The newest ones are shown as the history of the task.
  await change((prefix) => `update ${prefix}events set body = '-' where seq between 20 and ${newest - 5100}`);
  const second = await start();
  expect(await (await fetch(`${second.base}/tasks/long`)).json()).toMatchObject({ state: 'completed' });
  expect(await get(second, early.turnId)).toMatchObject({
    result: { status: { state: 'completed' }, artifacts: [{ parts: [{ text: 'short' }] }] },
  });
  const back = await watch(second);
  expect(await back.kind('SNAPSHOT')).toMatchObject({ state: 'completed', seq: newest });
  expect(await back.prompt('be short', { messageId: 'zero' })).toMatchObject({ result: { ...early, duplicate: true } });
  await back.prompt('be short', { messageId: 'two' });
  await back.find(({ kind, final }) => kind === 'STATE_CHANGE' && final === true);
  expect(await get(second, early.turnId)).toMatchObject({ result: { status: { state: 'completed' } } });
});

function watch({ base }: ServeProcess): Promise<WireClient> {
  return WireClient.connect(`${base.replace('http', 'ws')}/ws?taskId=long`);
}

async function get(serve: ServeProcess, id: string): Promise<unknown> {
  return (await serve.post('', { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id } })).json();
}

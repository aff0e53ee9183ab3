import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { say } from '../../src/demo/reply.js';
import { followTask, promptTask } from '../support/follow-task.js';
import { askedAbout, repeatsItsId, responsesIn } from '../support/repeated-ids.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const model = await startModelServer((request) => {
  const { length } = responsesIn(request);
  if (length === 0) return repeatsItsId('one', 'two', 'three');
  if (length === 3) return repeatsItsId('four');
  const isNextTurn = request.contents.at(-1)?.parts.some(({ text }) => text?.includes('again'));
  return isNextTurn ? repeatsItsId('five') : { chunks: [[say('All done.')]] };
});
afterAll(() => model.close());

test('calls that share an id run once each, in one reply, in one turn and in one task, over kill -9 too', async () => {
  const folder = temporaryFolder();
  const serve = () => startServe({ folder, modelUrl: model.url });
  const first = await serve();
  const asked = await promptTask(first, 'repeated', 'work');
  const batch = await Promise.all(['one', 'two', 'three'].map((word) => askedAbout(asked, word)));
  first.kill('SIGKILL');
  await first.exit;

  const second = await serve();
  const between = await followTask(second, 'repeated');
  for (const id of batch)
    expect(await between.answer(id, 'proceed_once')).toMatchObject({ result: { accepted: true } });
  const four = await askedAbout(between, 'four');
  second.kill('SIGKILL');
  await second.exit;

  const third = await serve();
  const client = await followTask(third, 'repeated');
  expect(await client.answer(four, 'proceed_once')).toMatchObject({ result: { accepted: true } });
  await client.state('completed');
  client.forget();
  await client.prompt('once again');
  const five = await askedAbout(client, 'five');
  await client.answer(five, 'proceed_once');
  await client.state('completed');

  const ids = [...batch, four, five];
  expect(new Set(ids).size).toBe(5);
  const words = ['one', 'two', 'three', 'four', 'five'];
  const effects = readFileSync(join(folder, 'workspace', 'effects'), 'utf8')
    .trim()
    .split('\n');
  expect(effects.toSorted()).toEqual(words.toSorted());
  const all = await followTask(third, 'repeated');
  await all.find(({ tool_call_id: id, status }) => id === five && status === 'SUCCEEDED');
  const ends = all.seen.filter(({ status }) => status === 'SUCCEEDED').map(({ tool_call_id: id }) => String(id));
  expect(ends.toSorted()).toEqual(ids.map(String).toSorted());

  const last = model.requests.at(-1);
  const responses = last ? responsesIn(last) : [];
  expect(responses.map(({ id }) => id)).toEqual(words.map(() => 'call_0'));
  const outputs = responses.map(({ response }) => JSON.stringify(response));
  expect(words.map((word) => outputs.findIndex((output) => output.includes(`did ${word}`)))).toEqual([0, 1, 2, 3, 4]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { say } from '../../src/demo/reply.js';
import { askedAbout, repeatsItsId, responsesIn } from '../support/repeated-ids.js';
import { useLive } from '../support/use-live.js';

const session = useLive({
  script: (request) => {
    const { length } = responsesIn(request);
    if (length === 0) return repeatsItsId('one');
    return length === 1 ? repeatsItsId('two', 'three') : { chunks: [[say('All done.')]] };
  },
});

test('calls of a live session that share an id are asked about and run once each, whoever answers', async () => {
  const { screen, model, workspace } = session.live;
  const client = await session.connect();
  await client.prompt('work');
  await client.answer(await askedAbout(client, 'one'), 'proceed_once');
  await client.answer(await askedAbout(client, 'two'), 'proceed_once');
  const three = await askedAbout(client, 'three');
  await screen.waitFor(/echo three[^]*Allow once/);
  await screen.press('enter');
  const executing = await client.find(({ tool_call_id: id, status }) => id === three && status === 'EXECUTING');
  expect(executing).toMatchObject({ metadata: { resolvedBy: { surface: 'tui' } } });
  await client.state('completed');
  expect(client.seen.filter(({ status }) => status === 'SUCCEEDED')).toHaveLength(3);
  const effects = readFileSync(join(workspace, 'effects'), 'utf8').trim().split('\n');
  expect(effects.toSorted()).toEqual(['one', 'three', 'two']);
  const told = model.requests.at(-1);
  expect(told && responsesIn(told).map(({ id }) => id)).toEqual(['call_0', 'call_0', 'call_0']);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { say } from '../../src/demo/reply.js';
import { geminiAgent } from '../support/acp-agents.js';
import { promptTask } from '../support/follow-task.js';
import { askedAbout, repeatsItsId, responsesIn } from '../support/repeated-ids.js';
import { startServe } from '../support/serve-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('calls of an agent that share an id are asked about and run once each, in one turn and in the next', async () => {
  const folder = temporaryFolder();
  const agent = await geminiAgent(join(folder, 'agent'), (request) => {
    const { length } = responsesIn(request);
    if (length === 0) return repeatsItsId('one', 'two');
    const isNextTurn = request.contents.at(-1)?.parts.some(({ text }) => text?.includes('again'));
    return isNextTurn ? repeatsItsId('three') : { chunks: [[say('All done.')]] };
  });
  const variables = Object.fromEntries(Object.entries(agent.env).map(([name, value]) => [name, value ?? '']));
  const secrets = Object.keys(variables).filter((name) => /KEY|URL/.test(name));
  const args = ['--engine', agent.command, ...secrets.flatMap((name) => ['--engine-env', name])];
  const served = await startServe({ folder, modelUrl: 'http://127.0.0.1:9', args, env: variables });
  try {
    const client = await promptTask(served, 'repeated', 'work');
    const ids: unknown[] = [];
    for (const word of ['one', 'two', 'three']) {
      if (word === 'three') {
        await client.state('completed');
        await client.prompt('once again');
      }
      const id = await askedAbout(client, word);
      ids.push(id);
      await client.answer(id, 'proceed_once');
      await client.find((event) => event['tool_call_id'] === id && event['status'] === 'SUCCEEDED');
    }
    expect(new Set(ids).size).toBe(3);
    expect(readFileSync(join(folder, 'workspace', 'effects'), 'utf8')).toBe('one\ntwo\nthree\n');
    expect(client.seen.filter(({ status }) => status === 'SUCCEEDED')).toHaveLength(3);
  } finally {
    await agent.close();
  }
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AcpCheckpoint } from '../../src/engine/acp/acp-engine.js';
import { offlineAgent } from '../support/acp-agents.js';
import { openAgentHub } from '../support/agent-hub.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('an agent that dies fails its turn; the next prompt and the next program go on with its conversation', async () => {
  const workspace = temporaryFolder();
  const agent = await offlineAgent('goose', join(workspace, 'home'));
  const checkpoints: AcpCheckpoint[] = [];
  const hub = openAgentHub({ ...agent, workspace, onCheckpoint: (checkpoint) => checkpoints.push(checkpoint) });
  /** Whether the model saw both in one request. The agent asks it other things too, such as a title. */
  const remembers = (earlier: string, now: string): boolean =>
    agent.requests
      .map((request) => JSON.stringify(request))
      .some((text) => text.includes(earlier) && text.includes(now));
  const first = hub.ask('first prompt');
  await first.question();
  for (const pid of processesIn(agent.command)) process.kill(pid, 'SIGKILL');
  expect(await first.end()).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/^the agent .*SIGKILL/) as string,
  });
  const second = hub.ask('second prompt');
  second.answer((await second.question()).id, 'proceed_once');
  expect(await second.end()).toMatchObject({ state: 'completed' });
  expect(remembers('first prompt', 'second prompt')).toBe(true);
  expect(checkpoints).toHaveLength(1);
  await hub.close();

  const [checkpoint] = checkpoints;
  const later = openAgentHub({ ...agent, workspace, ...(checkpoint && { checkpoint }) });
  const third = later.ask('third prompt');
  third.answer((await third.question()).id, 'cancel');
  await third.end();
  expect(remembers('second prompt', 'third prompt')).toBe(true);
  await later.close();
  await agent.close();
});

/** Our own children that run this program. */
function processesIn(command: string): number[] {
  const program = command.split('"')[1] ?? '';
  const children = readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(program));
}

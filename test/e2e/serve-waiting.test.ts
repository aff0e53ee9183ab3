import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.js';
import { call } from '../../src/demo/reply.js';
import { offlineAgent } from '../support/acp-agents.js';
import { scriptOf } from '../support/scripts.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { eventsOf } from '../support/sse.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const model = await startModelServer(
  scriptOf({ file: [call('run_shell_command', { command: 'touch made.txt', description: 'make a file' })] }),
);
const models: { close(): Promise<void> }[] = [model];
afterAll(() => Promise.all(models.map((each) => each.close())));

async function all(served: ServeProcess, contextId: string, userMessage: object) {
  const events = await eventsOf(await served.post('message/stream', { contextId, userMessage }));
  return events.map(({ data }) => data);
}

/** Sends a prompt that leads to a question. Returns how to say yes and see the turn to its end. */
async function ask(served: ServeProcess, contextId: string) {
  const asked = await all(served, contextId, { kind: 'text-content', text: 'make a file' });
  expect(asked.at(-1)).toMatchObject({ kind: 'state-change', state: 'input-required' });
  const toolCallId = asked.find(({ kind }) => kind === 'tool-call-confirmation')?.['toolCallId'];
  return async () =>
    (await all(served, contextId, { kind: 'tool-call-confirmation', toolCallId, approved: true })).at(-1);
}

async function goose(folder: string) {
  const agent = await offlineAgent('goose', join(folder, 'agent'));
  models.push(agent);
  const env = Object.fromEntries(Object.entries(agent.env).map(([name, value]) => [name, value ?? '']));
  const secrets = Object.keys(env).filter((name) => name.startsWith('OPENAI_'));
  return { args: ['--engine', agent.command, ...secrets.flatMap((name) => ['--engine-env', name])], env };
}

test.each([
  ['in one process', () => ({ args: [] })],
  ['with --isolate', () => ({ args: ['--isolate'] })],
  ['with --engine', goose],
])('%s, a task that waits for an answer does not count as running: others run meanwhile', async (_name, setup) => {
  const folder = temporaryFolder();
  const { args, ...rest } = await setup(folder);
  const served = await startServe({ folder, modelUrl: model.url, args: ['--max-running', '1', ...args], ...rest });
  const allowFirst = await ask(served, 'one');
  const allowSecond = await ask(served, 'two');
  expect(await allowSecond()).toMatchObject({ state: 'completed' });
  expect(await allowFirst()).toMatchObject({ state: 'completed' });
  served.kill('SIGTERM');
  expect(await served.exit).toBe(0);
});

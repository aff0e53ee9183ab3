import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { call, say } from '../../src/demo/reply.js';
import { AcpV2Client } from '../support/acp-v2-client.js';
import { goOn, scriptOf, twoLines } from '../support/scripts.js';
import { until } from '../support/until.js';
import { useLive } from '../support/use-live.js';

const shell = (command: string) => [say('I will run it.'), call('run_shell_command', { command })];
const script = scriptOf({
  'touch one': shell('touch one.txt'),
  'say two lines': shell(twoLines),
  'write a file': [call('write_file', { file_path: 'poem.txt', content: 'roses\n' })],
});

const session = useLive({ script, args: ['--acp-v2'] });
const clients: AcpV2Client[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

async function connect(name = 'tester'): Promise<AcpV2Client> {
  const { port } = await session.live.entry();
  const client = await AcpV2Client.connect(`ws://localhost:${port}/ws`, { name });
  clients.push(client);
  return client;
}

test('a client of version 2 prompts the Gemini CLI, and sees what is typed in its terminal', async () => {
  const alice = await connect();
  await alice.prompt('hello from version 2');
  await until(() => alice.states.at(-1) === 'idle end_turn');
  expect(Object.values(alice.messages('agent'))).toEqual(['You said: hello from version 2']);
  await session.live.screen.waitFor('[A2A] hello from version 2');
  await session.live.screen.submit('typed for version 2');
  await until(() => Object.values(alice.messages('agent')).at(-1) === 'You said: typed for version 2');
  expect(Object.values(alice.messages('user'))).toEqual(['hello from version 2', 'typed for version 2']);
});

test("the terminal's permission dialog is won and lost by a client of version 2", async () => {
  const alice = await connect();
  await session.live.screen.submit('touch one');
  const won = await alice.question();
  await session.live.screen.waitFor('Allow once');
  won.answer('proceed_once');
  await session.live.screen.waitUntilGone('Allow once');
  await until(() => alice.states.at(-1) === 'idle end_turn');
  expect(existsSync(join(session.live.workspace, 'one.txt'))).toBe(true);

  await alice.prompt('touch one');
  const lost = await until(() => alice.asked[1]);
  await session.live.screen.waitFor('Allow once');
  await session.live.screen.press('enter');
  await until(() => lost.wasWithdrawn);
  expect(won.wasWithdrawn).toBe(false);
  await until(() => alice.updates.filter(({ status }) => status === 'completed').length === 2);
});

test('a command prints into a terminal, piece by piece', async () => {
  const alice = await connect();
  await alice.prompt('say two lines');
  (await alice.question()).answer('proceed_once');
  await until(() => alice.updates.some(({ sessionUpdate }) => sessionUpdate === 'terminal_output_chunk'));
  goOn(session.live.workspace);
  await until(() => alice.updates.some(({ exitStatus }) => exitStatus));
  expect(await alice.tool('completed')).toMatchObject({ kind: 'execute', content: [{ type: 'terminal' }] });
});

test('a file that the agent proposes comes as a patch that git applies', async () => {
  const alice = await connect();
  await alice.prompt('write a file');
  const { request, answer } = await alice.question();
  const subject = request.subject as unknown as { toolCall: { content: { patch: { text: string } }[] } };
  const patch = subject.toolCall.content[0]?.patch.text ?? '';
  answer('cancel');
  execFileSync('git', ['apply', '--unsafe-paths', '--directory', '/', '-'], {
    cwd: session.live.workspace,
    input: patch,
  });
  expect(readFileSync(join(session.live.workspace, 'poem.txt'), 'utf8')).toBe('roses\n');
});

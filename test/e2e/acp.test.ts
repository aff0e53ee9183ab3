import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { call, say } from '../../src/demo/reply.js';
import { AcpClient, type AcpOptions } from '../support/acp-client.js';
import { goOn, scriptOf, twoLines } from '../support/scripts.js';
import { until } from '../support/until.js';
import { useLive } from '../support/use-live.js';

const shell = (command: string) => [say('I will run it.'), call('run_shell_command', { command })];

const script = scriptOf({
  'touch one': shell('touch one.txt'),
  'touch two': shell('touch two.txt'),
  'say two lines': shell(twoLines),
  'write a file': [call('write_file', { file_path: 'poem.txt', content: 'roses\n' })],
});

const session = useLive({ script });
const clients: AcpClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

async function connect(options: AcpOptions = {}): Promise<AcpClient> {
  const { port } = await session.live.entry();
  const client = await AcpClient.connect(`ws://localhost:${port}/ws`, options);
  clients.push(client);
  return client;
}

test('[000-8.2] [000-8.4] an ACP client on /ws prompts and receives output, and the terminal shows both', async () => {
  const alice = await connect({ name: 'alice' });
  expect(await alice.prompt('hello from ACP')).toEqual({ stopReason: 'end_turn' });
  expect(alice.text).toBe('You said: hello from ACP');
  await session.live.screen.waitFor('[A2A] hello from ACP');
  await session.live.screen.waitFor('You said: hello from ACP');
});

test('[000-8.3] what is typed in the terminal and its answer are received by the ACP client', async () => {
  const alice = await connect();
  await session.live.screen.submit('typed for ACP');
  await until(() => alice.text === 'You said: typed for ACP');
  expect(alice.heard).toBe('typed for ACP');
});

test("[000-8.5] the terminal's permission dialog is sent to the ACP client, and its choice closes the dialog", async () => {
  const [alice, bob] = [await connect({ name: 'alice' }), await connect({ name: 'bob' })];
  await session.live.screen.submit('touch one');
  const [asked, other] = [await alice.question(), await bob.question()];
  expect(asked.request.toolCall).toMatchObject({ title: 'touch one.txt', kind: 'execute' });
  await session.live.screen.waitFor('Allow once');
  asked.answer('proceed_once');
  await session.live.screen.waitUntilGone('Allow once');
  await bob.tool('completed');
  expect(other.wasWithdrawn).toBe(true);
  await until(() => bob.text.includes('All done.'));
  expect(existsSync(join(session.live.workspace, 'one.txt'))).toBe(true);
});

test('[000-6.1.2] a choice in the terminal withdraws the question from the ACP client, which is told who chose', async () => {
  const alice = await connect();
  const done = alice.prompt('touch two');
  const asked = await alice.question();
  await session.live.screen.waitFor('Allow once');
  await session.live.screen.press('enter');
  expect(await done).toEqual({ stopReason: 'end_turn' });
  expect(asked.wasWithdrawn).toBe(true);
  expect(await alice.tool('completed')).toMatchObject({ _meta: { cosession: { resolvedBy: { surface: 'tui' } } } });
});

test('a client with a terminal of its own gets what a command prints, piece by piece', async () => {
  const [zed, plain] = [await connect({ capabilities: { _meta: { terminal_output: true } } }), await connect()];
  const done = zed.prompt('say two lines');
  (await zed.question()).answer('proceed_once');
  const printed = (): string[] =>
    zed.updates.flatMap((update) => {
      const output = update._meta?.['terminal_output'] as { data: string } | undefined;
      return output ? [output.data] : [];
    });
  await until(() => printed().join('').includes('line 1'));
  goOn(session.live.workspace);
  await done;
  expect(
    printed()
      .join('')
      .match(/line \d/g),
  ).toEqual(['line 1', 'line 2']);
  expect(JSON.stringify(plain.updates.filter(({ sessionUpdate }) => sessionUpdate === 'tool_call_update'))).toContain(
    'line 1',
  );
});

test('a mode that a client chooses is the mode of the terminal, and the other way round', async () => {
  const [alice, bob] = [await connect({ name: 'alice' }), await connect({ name: 'bob' })];
  const { sessionId } = alice;
  await alice.agent.request('session/set_mode', { sessionId, modeId: 'autoEdit' });
  await session.live.screen.waitFor('alice set the approval mode to autoEdit');
  await bob.find((update) => update.sessionUpdate === 'current_mode_update' && update.currentModeId === 'autoEdit');
  await session.live.screen.waitFor('auto-accept edits');
  await expect(alice.agent.request('session/set_mode', { sessionId, modeId: 'yolo' })).rejects.toThrow('default');
  await alice.agent.request('session/set_mode', { sessionId, modeId: 'default' });
  await session.live.screen.waitUntilGone('auto-accept edits');
});

test('a file that the agent proposes comes as a diff; the client writes its own version', async () => {
  const alice = await connect();
  const done = alice.prompt('write a file');
  const { request, answer } = await alice.question();
  expect(request.toolCall.content).toMatchObject([{ type: 'diff', oldText: null, newText: 'roses\n' }]);
  answer('proceed_once', { cosession: { newContent: 'violets\n' } });
  await done;
  expect(readFileSync(join(session.live.workspace, 'poem.txt'), 'utf8')).toBe('violets\n');
});

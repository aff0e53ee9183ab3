import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scriptOf } from '../support/scripts.js';
import { useLive } from '../support/use-live.js';
import type { WireClient } from '../support/wire-client.js';

const session = useLive({
  script: scriptOf({}),
  inWorkspace(folder) {
    const commands = join(folder, '.gemini', 'commands');
    mkdirSync(join(commands, 'team'), { recursive: true });
    writeFileSync(join(commands, 'greet.toml'), 'description = "Say hello"\nprompt = "Greet {{args}} warmly"\n');
    writeFileSync(join(commands, 'team', 'stamp.toml'), 'prompt = "Stamp: !{touch stamped.txt && echo done}"\n');
  },
});
const { connect } = session;

type Listed = { name: string; description: string; sub_commands: { name: string }[] };

async function commandsOf(client: WireClient): Promise<Listed[]> {
  const { result } = await client.call('commands/get');
  return (result as { commands: Listed[] }).commands;
}

test('custom commands of the workspace are listed beside the built-in ones, with sub-commands', async () => {
  const alice = await connect();
  // The CLI reads the workspace's commands a moment after its screen is up.
  let commands = await commandsOf(alice);
  while (!commands.some(({ name }) => name === 'greet')) commands = await commandsOf(alice);
  expect(commands.find(({ name }) => name === 'greet')?.description).toContain('Say hello');
  expect(commands.find(({ name }) => name === 'memory')?.sub_commands.map(({ name }) => name)).toContain('show');
});

test('a custom command runs with its arguments and its answer is streamed', async () => {
  const alice = await connect();
  const started = await alice.call('command/execute', { command_path: ['greet'], args: 'Ada' });
  expect(started).toMatchObject({ result: { status: 'STARTED', execution_id: expect.any(String) } });
  await alice.state('completed');
  expect(alice.text).toBe('You said: Greet Ada warmly');
  const { execution_id } = started['result'] as { execution_id: string };
  expect(alice.seen.find((event) => event.kind === 'TEXT_CONTENT')?.['turnId']).toBe(execution_id);
});

test('a command that wants to run the shell asks first, over JSON-RPC too, and a client allows it', async () => {
  const alice = await connect();
  const params = { command_path: ['team:stamp'] };
  const response = await fetch(await session.live.url(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'command/execute', params }),
  });
  expect(await response.json()).toMatchObject({ result: { status: 'AWAITING_SHELL_CONFIRMATION' } });
  const asked = await alice.pending();
  expect(asked).toMatchObject({
    tool_name: 'shell_expansion',
    confirmation_request: { details: { execute_details: { command: expect.stringContaining('touch stamped.txt') } } },
  });
  await session.live.screen.waitFor('touch stamped.txt');
  expect(existsSync(join(session.live.workspace, 'stamped.txt'))).toBe(false);
  await alice.answer(asked['tool_call_id'], 'proceed_once');
  await alice.state('completed');
  expect(existsSync(join(session.live.workspace, 'stamped.txt'))).toBe(true);
  expect(alice.text).toContain('You said: Stamp: done');
});

import { expect, test } from 'vitest';
import { readyPrompt } from '../support/live.js';
import { scriptOf } from '../support/scripts.js';
import { useLive } from '../support/use-live.js';

const session = useLive({ script: scriptOf({}) });

test('a command of a client answers with what the terminal shows', async () => {
  const alice = await session.connect('?client=alice');
  await alice.prompt('one request for the figures');
  await alice.state('completed');
  const answers: string[] = [];
  for (const line of ['help', 'about', 'stats', 'stats model', 'stats tools', 'tools', 'tools desc', 'mcp', 'skills']) {
    const [seen, before] = [alice.seen.length, alice.text.length];
    const { result } = await alice.call('command/execute', { command_path: line.split(' ') });
    expect([line, result]).toEqual([line, expect.objectContaining({ status: 'STARTED' })]);
    await alice.find((event) => event['final'] === true && alice.seen.indexOf(event) >= seen);
    answers.push(alice.text.slice(before));
  }
  expect(answers).toEqual([
    expect.stringMatching(/^Commands:\n(.*\n)* {2}\/about: Show version info\n(.*\n)* {4}\/memory show: /),
    expect.stringMatching(/^About Gemini CLI:\n {2}CLI version: \d+\.\d+/),
    expect.stringMatching(/^Session:\n {2}Id: (.*\n)+ {2}Tool calls: 0 (.*\n)*Models:\n {2}\S+: \d+ requests, /),
    expect.stringMatching(/^Models:\n {2}\S+: \d+ requests, /),
    'Tools:\n  none\n',
    expect.stringMatching(/^Available Gemini CLI tools:\n(.*\n)* {2}- ReadFile \(read_file\)\n/),
    expect.stringMatching(/^Available Gemini CLI tools:\n(.*\n)* {2}- ReadFile \(read_file\): Reads/),
    'MCP servers:\n  none\n',
    expect.stringMatching(/^Available agent skills:\n/),
  ]);
});

test('a command that would open a dialog in the terminal or act on it is refused, with the reason', async () => {
  const alice = await session.connect('?client=alice');
  const refused = 'model rewind footer clear bug-memory hooks chat theme settings copy shortcuts tasks quit'.split(' ');
  for (const name of [...refused, 'memory inbox', 'model manage', 'mcp auth', 'agents config', 'extensions explore']) {
    const { result } = await alice.call('command/execute', { command_path: name.split(' ') });
    expect([name, result]).toEqual([
      name,
      { execution_id: '', status: 'FAILED_TO_START', message: expect.stringMatching(/^\/\S+.*: it/) },
    ]);
  }
  expect(alice.seen.filter(({ kind }) => kind === 'USER_MESSAGE')).toEqual([]);
  expect(session.live.screen.text).toContain(readyPrompt);
});

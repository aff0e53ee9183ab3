import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call, say } from '../../src/demo/reply.js';
import { scriptOf } from '../support/scripts.js';
import { until } from '../support/until.js';
import { useLive } from '../support/use-live.js';

/** Lets a test decide when a slow answer ends. */
let release: () => void = () => {};

const question = {
  question: 'Which store?',
  header: 'Store',
  type: 'choice',
  options: [
    { label: 'SQLite', description: 'a file' },
    { label: 'Postgres', description: 'a server' },
  ],
};

const lines = scriptOf({
  'write a file': [call('write_file', { file_path: 'poem.txt', content: 'their words\n' })],
  'read nothing': [call('read_file', { file_path: 'there-is-no-such-file.txt' })],
  'ask me': [call('ask_user', { questions: [question] })],
  'break down': { chunks: [], error: { status: 400, message: 'the key is not valid' } },
  'cite something': { chunks: [[say('It is known.')]], citations: ['https://example.com/source'] },
  'make one folder': [call('run_shell_command', { command: 'mkdir first' })],
  'make another folder': [call('run_shell_command', { command: 'mkdir second' })],
  'run forever': [call('run_shell_command', { command: 'sleep 600' })],
});

const session = useLive({
  script: (request) => {
    const last = JSON.stringify(request.contents.at(-1));
    if (!last.includes('take your time')) return lines(request);
    return { chunks: [[say('one ')], [say('two')]], holdLast: new Promise<void>((resolve) => (release = resolve)) };
  },
});
const { connect } = session;

describe('tools', () => {
  test('[000-5.2.1] [000-5.1.3] a client changes a proposed file, and its version is written', async () => {
    const alice = await connect();
    await alice.prompt('write a file');
    const asked = await alice.pending();
    expect(asked['confirmation_request']).toMatchObject({
      details: {
        file_edit_details: {
          file_name: 'poem.txt',
          file_path: join(session.live.workspace, 'poem.txt'),
          new_content: 'their words\n',
          formatted_diff: expect.stringContaining('+their words'),
        },
      },
    });
    await session.live.screen.waitFor('Modify with external editor');
    await alice.answer(asked['tool_call_id'], 'proceed_once', {
      modified_details: { file_details: { new_content: 'my words\n' } },
    });
    const done = await alice.tool('SUCCEEDED');
    expect(done['output']).toMatchObject({ diff: { file_name: 'poem.txt', new_content: 'my words\n' } });
    await alice.state('completed');
    expect(readFileSync(join(session.live.workspace, 'poem.txt'), 'utf8')).toBe('my words\n');
  });

  test('a tool that fails says why', async () => {
    const alice = await connect();
    await alice.prompt('read nothing');
    expect(await alice.tool('FAILED')).toMatchObject({ error: { message: expect.stringMatching(/not found/i) } });
    await alice.state('completed');
  });

  test('a question of the agent is answered by a client', async () => {
    const alice = await connect();
    await alice.prompt('ask me');
    const asked = await alice.pending();
    expect(asked['confirmation_request']).toMatchObject({
      details: {
        generic_details: {
          description: '0. Which store? (SQLite / Postgres)',
          questions: [{ question: 'Which store?' }],
        },
      },
    });
    await session.live.screen.waitFor('Which store?');
    await alice.answer(asked['tool_call_id'], 'proceed_once', { answers: { '0': 'Postgres' } });
    await alice.state('completed');
    const told = JSON.stringify(session.live.model.requests.at(-1)?.contents.at(-1));
    expect(told).toContain('Postgres');
  });

  test('a citation and the usage of a turn reach clients', async () => {
    const alice = await connect();
    await alice.prompt('cite something');
    await alice.state('completed');
    expect(await alice.kind('CITATION')).toMatchObject({
      content: { text: expect.stringContaining('https://example.com/source') },
    });
    expect(await alice.kind('USAGE')).toMatchObject({ usage: { totalTokens: expect.any(Number) } });
  });
});

test('"Allow for this session" holds for the next call', async () => {
  const alice = await connect();
  await alice.prompt('make one folder');
  await alice.answer((await alice.pending())['tool_call_id'], 'proceed_always');
  await alice.state('completed');
  alice.forget();
  await alice.prompt('make another folder');
  await alice.state('completed');
  expect(alice.seen.some((event) => event['confirmation_request'])).toBe(false);
  expect(existsSync(join(session.live.workspace, 'second'))).toBe(true);
});

describe('cancel', () => {
  test('by a client stops a running tool; the turn ends as canceled and the next prompt runs', async () => {
    const alice = await connect();
    await alice.prompt('run forever');
    await alice.answer((await alice.pending())['tool_call_id'], 'proceed_once');
    await alice.tool('EXECUTING');
    await alice.call('tasks/cancel', { id: (await session.live.entry()).sessionId });
    await alice.tool('CANCELLED');
    await alice.state('canceled');
    alice.forget();
    await alice.prompt('still there?');
    await alice.state('completed');
  });

  test('right behind the prompt is not lost', async () => {
    const alice = await connect();
    alice.notify('message/stream', { message: { content: { text: 'take your time' } } });
    alice.notify('tasks/cancel', {});
    await alice.state('canceled');
    release();
  });

  test('by Esc in the terminal while a question is open answers it for everybody', async () => {
    const alice = await connect();
    await alice.prompt('run forever');
    const asked = await alice.pending();
    await session.live.screen.waitFor('Allow once');
    await session.live.screen.press('esc');
    expect(await alice.tool('CANCELLED')).toMatchObject({ metadata: { resolvedBy: { surface: 'tui' } } });
    expect(await alice.answer(asked['tool_call_id'], 'proceed_once')).toMatchObject({ error: { code: -32050 } });
    await alice.find((event) => event['final'] === true);
  });
});

describe('[000-4.2.1] [000-4.2.2] one session', () => {
  test('prompts sent during a turn run afterwards, one per turn, in order', async () => {
    const [alice, bob] = [await connect('?client=alice'), await connect('?client=bob')];
    await alice.prompt('take your time');
    await alice.kind('TEXT_CONTENT');
    const before = session.live.model.requests.length;
    expect(await bob.prompt('first in line')).toMatchObject({ result: { position: 1 } });
    expect(await alice.prompt('second in line')).toMatchObject({ result: { position: 2 } });
    release();
    await bob.find((event) => event.kind === 'TEXT_CONTENT' && JSON.stringify(event).includes('second in line'));
    const asked = session.live.model.requests.slice(before).map((request) => JSON.stringify(request.contents.at(-1)));
    expect(asked).toHaveLength(2);
    expect(asked[0]).toContain('first in line');
    expect(asked[1]).toContain('second in line');
    const ids = new Set(bob.seen.map((event) => event['taskId']).filter(Boolean));
    expect(ids).toEqual(new Set([(await session.live.entry()).sessionId]));
    await until(() => bob.seen.filter((event) => event['final']).length === 3);
  });

  test("what is typed while a client's turn runs waits in the terminal's own queue and is not lost", async () => {
    const alice = await connect();
    await alice.prompt('take your time');
    await alice.kind('TEXT_CONTENT');
    await session.live.screen.submit('typed meanwhile');
    release();
    await alice.find((event) => event.kind === 'USER_MESSAGE' && JSON.stringify(event).includes('typed meanwhile'));
    await alice.find((event) => JSON.stringify(event).includes('You said: typed meanwhile'));
    await until(() => alice.seen.filter((event) => event['final']).length === 2);
  });

  test('a model that refuses fails the turn with its own words', async () => {
    const alice = await connect();
    await alice.prompt('break down');
    expect(await alice.state('failed')).toMatchObject({
      error: expect.stringContaining('the key is not valid'),
      final: true,
    });
    expect(await alice.kind('ERROR')).toMatchObject({ message: expect.stringContaining('the key is not valid') });
  });
});

describe('a client cannot trick the terminal', () => {
  test.each(['/quit', '!touch hacked.txt', '@/etc/passwd', '/a2a off', '?'])('"%s" is text', async (text) => {
    const alice = await connect();
    await alice.prompt(text);
    await alice.state('completed');
    expect(alice.text).toBe(`You said: ${text}`);
    expect(existsSync(join(session.live.workspace, 'hacked.txt'))).toBe(false);
    expect(session.live.screen.exitCode).toBeUndefined();
  });

  test('escape sequences are gone before the terminal and the model see them', async () => {
    const alice = await connect(`?client=${encodeURIComponent('ev\u001b[31mil')}`);
    await alice.prompt('safe\u001b]0;pwned\u0007 text\u202e end');
    await alice.state('completed');
    expect(await alice.kind('USER_MESSAGE')).toMatchObject({
      content: { text: 'safe text end' },
      origin: { client: 'evil' },
    });
    await session.live.screen.waitFor('[A2A] safe text end');
  });

  test('commands run when sent as commands, what they print reaches clients, dangerous ones are refused', async () => {
    const alice = await connect('?client=alice');
    const { result } = await alice.call('commands/get');
    const names = (result as { commands: { name: string }[] }).commands.map(({ name }) => name);
    expect(names).toContain('memory');
    expect(names).not.toContain('quit');
    expect(await alice.call('command/execute', { command_path: ['memory', 'list'] })).toMatchObject({
      result: { status: 'STARTED' },
    });
    await alice.state('completed');
    expect(alice.text).toMatch(/GEMINI\.md/);
    await session.live.screen.waitFor('[A2A] alice runs /memory list');
    for (const command of ['quit', 'exit', 'auth', 'a2a', 'no-such-command']) {
      expect(await alice.call('command/execute', { command_path: [command] })).toMatchObject({
        result: { status: 'FAILED_TO_START' },
      });
    }
    expect(session.live.screen.exitCode).toBeUndefined();
  });
});

test('[000-7.1] the terminal and the clients work on one chat: the model is sent what both said', async () => {
  const alice = await connect();
  await alice.prompt('my number is 7141');
  await alice.state('completed');
  alice.forget();
  await session.live.screen.submit('and mine is 2718');
  await alice.state('completed');
  const sent = JSON.stringify(session.live.model.requests.at(-1)?.contents);
  expect(sent).toContain('my number is 7141');
  expect(sent).toContain('and mine is 2718');
});

test('the terminal tells who connects and leaves; the endpoint is switched off and on again while it runs', async () => {
  const phone = await connect('?client=phone');
  await session.live.screen.waitFor(/A2A client connected: [^(]*phone/);
  await session.live.screen.submit('/a2a');
  await session.live.screen.waitFor(/A2A endpoint on http:\/\/127\.0\.0\.1:\d+\/ · 1 client: phone/);
  await session.live.screen.submit('/a2a off');
  await session.live.screen.waitFor('The A2A endpoint is off; 1 client was disconnected.');
  await until(() => phone.socket.readyState === phone.socket.CLOSED);
  await session.live.screen.submit('/a2a on abc');
  await session.live.screen.waitFor('the port must be a whole number');
  await session.live.screen.submit('/a2a on');
  await session.live.screen.waitFor(
    /A2A endpoint on http:\/\/127\.0\.0\.1:\d+\/ \(WebSocket[^]*A2A endpoint on http:\/\/127\.0\.0\.1:\d+\/ \(WebSocket/,
  );
  const again = await connect('?after=0');
  await again.find((event) => event.seq === 1);
  await again.prompt('hello again');
  await again.find((event) => JSON.stringify(event).includes('You said: hello again'));
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exitCodes } from '../../src/cli/argv/exit-codes.js';
import { UsageError } from '../../src/util/usage-error.js';
import { type Ran, runHere } from '../support/command.js';
import { waitingShell } from '../support/manual-engine.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { type ServedTasks, serveTasks } from '../support/served-tasks.js';
import { until } from '../support/until.js';

let hub: ServedHub;
beforeEach(async () => {
  hub = await serveHub({ model: 'test-model' });
});
afterEach(() => hub.stop());

/** Sends a prompt and waits until its turn runs. */
async function sending(...args: string[]): Promise<Ran> {
  const before = hub.engine.started.length;
  const ran = runHere('send', [hub.server.url, ...args]);
  await until(() => hub.engine.started.length > before);
  return ran;
}

const ask = (): void => hub.engine.report({ type: 'tool', call: waitingShell() });

describe('what it prints', () => {
  test('the reply goes to stdout as it is, everything else to stderr', async () => {
    const ran = await sending('hello', 'there', '--as', 'robot');
    hub.engine.report({ type: 'thought', subject: 'Plan', description: 'think' });
    hub.engine.say('Hi,\n  you');
    hub.engine.report({ type: 'log', level: 'info', text: 'between' });
    hub.engine.say('\u001b[31mBye.');
    hub.engine.end();
    expect(await ran.code).toBe(0);
    expect(ran.out).toBe('Hi,\n  you\n\u001b[31mBye.\n');
    for (const line of ['@robot> hello there', '∴ Plan: think', '· between', '— completed'])
      expect(ran.errors).toContain(`${line}\n`);
    expect(ran.errors).not.toContain('Bye');
  });

  test('--json prints one object at the end', async () => {
    const ran = await sending('hello', '--json');
    hub.engine.say('Hi.');
    ask();
    hub.session.answer('call-1', { optionId: 'proceed_once' }, { surface: 'tui' });
    const call = { id: 'call-1', name: 'run_shell_command', args: {} };
    hub.engine.report({ type: 'tool', call: { ...call, status: 'succeeded', output: { kind: 'text', text: 'ok' } } });
    hub.engine.end();
    expect(await ran.code).toBe(0);
    expect(JSON.parse(ran.out)).toEqual({
      outcome: 'done',
      taskId: hub.session.id,
      turnId: expect.any(String),
      state: 'completed',
      text: 'Hi.',
      toolCalls: [{ id: 'call-1', name: 'run_shell_command', status: 'SUCCEEDED' }],
    });
    expect(ran.out.trim().split('\n')).toHaveLength(1);
  });

  test('--jsonl prints the events of the turn, one per line', async () => {
    const ran = await sending('hello', '--jsonl');
    hub.engine.say('Hi.');
    hub.engine.end();
    expect(await ran.code).toBe(0);
    const kinds = ran.out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(kinds).toEqual(['USER_MESSAGE', 'STATE_CHANGE', 'TEXT_CONTENT', 'STATE_CHANGE']);
  });
});

describe('what it sends', () => {
  test.each([
    ['without a word, what is piped in', [], 'one\ntwo'],
    ['"-" stands for what is piped in', ['-'], 'one\ntwo'],
    ['"-" after words adds it to them', ['explain', 'this', '-'], 'explain this\n\none\ntwo'],
  ])('%s', async (_name, words, text) => {
    const ran = runHere('send', [hub.server.url, ...words]);
    ran.type('one');
    ran.type('two');
    ran.endInput();
    await until(() => hub.engine.started.length === 1);
    expect(hub.engine.started[0]?.text).toBe(text);
    hub.engine.end();
    expect(await ran.code).toBe(0);
  });

  test('words never wait for an input that stays open; nothing at all is an error', async () => {
    const ran = await sending('hello');
    hub.engine.end();
    expect(await ran.code).toBe(0);
    const empty = runHere('send', [hub.server.url]);
    empty.endInput();
    await expect(empty.code).rejects.toThrow(UsageError);
  });
});

describe('how it ends', () => {
  test('a turn that failed, or that somebody cancelled', async () => {
    for (const end of ['failed', 'canceled'] as const) {
      const ran = await sending('hello');
      hub.engine.end(end, 'why');
      expect(await ran.code).toBe(exitCodes.failed.code);
    }
  });

  test('--on-question deny refuses the tool, and the turn goes on', async () => {
    const ran = await sending('clean', '--on-question', 'deny', '--json');
    ask();
    await until(() => hub.engine.answered.length === 1);
    expect(hub.engine.answered[0]?.answer).toMatchObject({ optionId: 'cancel' });
    hub.engine.say('Then not.');
    hub.engine.end();
    expect(await ran.code).toBe(exitCodes.refused.code);
    expect(JSON.parse(ran.out)).toMatchObject({ outcome: 'refused', state: 'completed', text: 'Then not.' });
  });

  test('--on-question fail leaves the question to others', async () => {
    const ran = await sending('clean', '--on-question', 'fail', '--json');
    ask();
    expect(await ran.code).toBe(exitCodes.waits.code);
    expect(JSON.parse(ran.out)).toMatchObject({ outcome: 'waits', question: { tool_call_id: 'call-1' } });
    expect(hub.session.snapshot.pending).toHaveLength(1);
  });

  test('a question waits for somebody by default, and a denied tool is not a success', async () => {
    const ran = await sending('clean');
    ask();
    await until(() => ran.errors.includes('3) No'));
    expect(await runHere('approve', [hub.server.url, '3']).code).toBe(0);
    hub.engine.end();
    expect(await ran.code).toBe(exitCodes.refused.code);
  });

  test('--timeout stops the turn', async () => {
    const ran = runHere('send', [hub.server.url, 'hello', '--timeout', '0.05', '--json']);
    await until(() => hub.engine.cancels === 1);
    hub.engine.end('canceled');
    expect(await ran.code).toBe(exitCodes.timeout.code);
    expect(JSON.parse(ran.out)).toMatchObject({ outcome: 'timeout' });
  });

  test('Ctrl-C leaves, and the turn continues', async () => {
    const ran = await sending('hello');
    await until(() => ran.errors.includes('ada@laptop> hello'));
    process.emit('SIGINT');
    expect(await ran.code).toBe(exitCodes.interrupted.code);
    expect(hub.engine.cancels).toBe(0);
  });
});

describe('on a server of many tasks', () => {
  let server: ServedTasks;
  beforeAll(async () => {
    server = await serveTasks();
  });
  afterAll(() => server.stop());

  const reply = async (id: string, turns: number): Promise<void> => {
    const engine = await server.started(id, turns);
    engine.say('Hi.');
    engine.end();
  };

  test('--new creates a task, --task and ?taskId= continue it, and the other commands work on it too', async () => {
    const first = runHere('send', [server.server.url, '--new', 'hello', '--json']);
    const id = await until(() => [...server.tasks.engines.keys()][0]);
    await reply(id, 1);
    expect(await first.code).toBe(0);
    expect(JSON.parse(first.out)).toMatchObject({ outcome: 'done', taskId: id, text: 'Hi.' });

    const second = runHere('send', [server.server.url, '--task', id, 'again']);
    await reply(id, 2);
    expect([await second.code, second.out]).toEqual([0, 'Hi.\n']);
    const third = runHere('send', [`${server.server.url}?taskId=${id}`, 'once more']);
    await reply(id, 3);
    expect(await third.code).toBe(0);

    const watching = runHere('watch', [server.server.url, '--task', id, '--jsonl']);
    await watching.shows('SNAPSHOT');
    process.emit('SIGINT');
    expect(await watching.code).toBe(0);
    await expect(runHere('cancel', [server.server.url, '--task', id]).code).rejects.toThrow('no turn is running');
    await expect(runHere('approve', [server.server.url, '1', '--task', id]).code).rejects.toThrow(
      'no question is open',
    );
  });

  test('a server says what it misses: a task, or one it knows', async () => {
    await expect(runHere('send', [server.server.url, 'hello']).code).rejects.toThrow(/taskId/);
    const unknown = runHere('send', [server.server.url, 'hello', '--task', 'no-such']).code;
    await expect(unknown).rejects.toMatchObject({ code: 'unknown-task' });
  });
});

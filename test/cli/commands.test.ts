import { execFile } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { UsageError } from '../../src/util/usage-error.js';
import { runHere } from '../support/command.js';
import { mainScript } from '../support/live.js';
import { waitingEdit, waitingShell } from '../support/manual-engine.js';
import { type ServedHub, serveHub } from '../support/served-hub.js';
import { until } from '../support/until.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let hub: ServedHub;
let stateDir: string;

beforeEach(async () => {
  hub = await serveHub({ model: 'test-model' });
  stateDir = temporaryFolder();
});
afterEach(() => hub.stop());

const typed = (text: string) => ({ type: 'started', text, origin: { surface: 'tui' } }) as const;

describe('watch', () => {
  test('shows who asked what, the answer as it comes, thoughts, tools with their output, and the end', async () => {
    const watching = runHere('watch', [hub.server.url]);
    await watching.shows('test-model');
    hub.engine.report(typed('hello'), { type: 'thought', subject: 'Plan', description: 'think' });
    hub.engine.say('Hi\nth');
    hub.engine.say('ere');
    const call = { id: 'c', name: 'shell', args: {}, description: 'make' };
    hub.engine.report({ type: 'tool', call: { ...call, status: 'executing', liveOutput: 'one\ntwo\nthr' } });
    await watching.shows('two');
    hub.engine.report({
      type: 'tool',
      call: { ...call, status: 'succeeded', output: { kind: 'text', text: 'one\ntwo\nthree' } },
    });
    hub.engine.end('failed', 'out of luck');
    await watching.shows('— failed');
    expect(watching.out.split('\n')).toEqual([
      '· ready · test-model · here: terminal, ada@laptop',
      'terminal> hello',
      '∴ Plan: think',
      '  Hi',
      '  there',
      '▶ shell make',
      '  │ one',
      '  │ two',
      '✓ shell make',
      '  │ three',
      '— failed: out of luck',
      '',
    ]);
    process.emit('SIGINT');
    expect(await watching.code).toBe(0);
  });

  test('--json prints the events as they are, one per line, and no character a terminal acts on', async () => {
    const watching = runHere('watch', [hub.server.url, '--json']);
    await watching.shows('SNAPSHOT');
    hub.engine.report({ type: 'log', level: 'info', text: '\u001b[31m\u009b\u202e' });
    await watching.shows('CONSOLE_LOG');
    const events = watching.out.trim().split('\n');
    expect(JSON.parse(events[1] ?? '')).toMatchObject({ seq: 1, content: { text: '\u001b[31m\u009b\u202e' } });
    expect(watching.out).toMatch(/^[\n -~]+$/);
    process.emit('SIGINT');
    await watching.code;
  });

  test('nothing from the wire reaches the terminal as a control character', async () => {
    const evil = '\u001b]0;title\u0007\u001b[2J\u009b31mA\u202eB\r\u0008C';
    const watching = runHere('watch', [hub.server.url], { useColor: true, columns: 1000 });
    await watching.shows('test-model');
    const [tool, question] = [{ id: evil, name: evil, args: {}, description: evil }, waitingShell()];
    const details = { kind: 'execute', command: evil, workingDirectory: evil } as const;
    hub.engine.report(
      typed(evil),
      { type: 'text', text: evil },
      { type: 'thought', subject: evil, description: evil },
      { type: 'citation', text: evil },
      { type: 'log', level: 'warn', text: evil },
      { type: 'error', message: evil },
      { type: 'settings', model: evil, approvalMode: evil },
      { type: 'tool', call: { ...tool, status: 'executing', liveOutput: `${evil}\n` } },
      { type: 'tool', call: { ...tool, status: 'failed', error: { message: evil } } },
      { type: 'tool', call: { ...question, name: evil, approval: { options: [{ id: evil, name: evil }], details } } },
    );
    hub.engine.end('failed', evil);
    await watching.shows('— failed');
    // eslint-disable-next-line no-control-regex -- our own colours are all that may be there
    expect(watching.out.replace(/\u001b\[\d\d?m/g, '')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(watching.out).toContain('\\u{1b}]0;title\\u{7}\\u{1b}[2J\\u{9b}31mA\\u{202e}B\\u{d}\\u{8}C');
    process.emit('SIGINT');
    await watching.code;
  });
});

describe('approve', () => {
  const ask = (): void => hub.engine.report(typed('clean'), { type: 'tool', call: waitingShell() });

  test.each(['1', 'y', 'proceed_once'])('answers by %s and shows what it answered', async (option) => {
    ask();
    const approving = runHere('approve', [hub.server.url, option]);
    expect(await approving.code).toBe(0);
    expect(approving.out).toBe(
      '? run_shell_command wants to run\n│ rm -rf build\n' +
        '  1) Allow once [y]\n  2) Allow for this session [a]\n  3) No, suggest changes (esc) [n]\nAnswered: Allow once\n',
    );
    expect(hub.engine.answered).toEqual([{ callId: 'call-1', answer: { optionId: 'proceed_once' } }]);
  });

  test('e edits the proposed file first; an editor that fails answers nothing', async () => {
    hub.engine.report(typed('write'), { type: 'tool', call: waitingEdit() });
    const run = (EDITOR: string) =>
      runHere('approve', [hub.server.url, 'e'], { env: { PATH: process.env['PATH'], EDITOR } }).code;
    await expect(run('false')).rejects.toThrow('the editor failed; nothing was answered');
    expect(hub.engine.answered).toEqual([]);
    expect(await run("sed -i 's/new/newer/'")).toBe(0);
    expect(hub.engine.answered).toEqual([
      { callId: 'edit-1', answer: { optionId: 'proceed_once', newContent: 'newer' } },
    ]);
  });

  test('says what is wrong: no question, a bad option, several questions, no option without a terminal', async () => {
    const run = (...args: string[]): Promise<number> => runHere('approve', [hub.server.url, ...args]).code;
    await expect(run('1')).rejects.toThrow('no question is open');
    ask();
    await expect(run('7')).rejects.toThrow('"7" is not one of the options: 1 (proceed_once), 2 (proceed_always)');
    await expect(run()).rejects.toThrow(UsageError);
    hub.engine.report({ type: 'tool', call: waitingEdit() });
    await expect(run('1')).rejects.toThrow('2 questions are open; name one with --call');
    expect(await run('1', '--call', 'edit-1')).toBe(0);
    expect(hub.engine.answered.map(({ callId }) => callId)).toEqual(['edit-1']);
  });
});

test('cancel stops the running turn, and says when there is none', async () => {
  await expect(runHere('cancel', [hub.server.url]).code).rejects.toThrow('no turn is running');
  hub.engine.report(typed('long'));
  expect(await runHere('cancel', [hub.server.url]).code).toBe(0);
  expect(hub.engine.cancels).toBe(1);
});

describe('attach without a terminal', () => {
  test('sends what is piped in and leaves when it is answered', async () => {
    const attached = runHere('attach', [hub.server.url, '--as', 'script']);
    await attached.shows('attached');
    attached.type('hello');
    attached.endInput();
    await attached.shows('@script> hello');
    hub.engine.say('Hi.');
    hub.engine.end();
    expect(await attached.code).toBe(0);
    expect(attached.out).toContain('  Hi.\n— completed\n· detached; the session continues\n');
  });

  test('a question that somebody else answers closes with a line that says who', async () => {
    const attached = runHere('attach', [hub.server.url]);
    await attached.shows('attached');
    hub.engine.report(typed('clean'), { type: 'tool', call: waitingShell() });
    await attached.shows('3) No');
    attached.type('7');
    await attached.shows('! answer with y/a/n or 1-3');
    expect(await runHere('approve', [hub.server.url, '3', '--as', 'bob']).code).toBe(0);
    await attached.shows('answered "No, suggest changes (esc)" by @bob');
    process.emit('SIGINT');
    expect(await attached.code).toBe(0);
  });

  test("the agent's own questions are asked one by one, and a plan takes what should change", async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const attached = runHere('attach', [hub.server.url]);
    await attached.shows('attached');
    const questions = [
      { question: 'Which?', options: [{ label: 'SQLite' }, { label: 'Postgres' }] },
      { question: 'Why?' },
    ];
    const options = [
      { id: 'proceed_once', name: 'Submit' },
      { id: 'cancel', name: 'Dismiss' },
    ];
    const call = (id: string) => ({ ...waitingShell(id), name: 'ask' });
    hub.engine.report(typed('choose'), {
      type: 'tool',
      call: { ...call('a'), approval: { options, details: { kind: 'questions', description: 'Two', questions } } },
    });
    await attached.shows('2) Postgres');
    for (const line of ['2', 'it is there']) attached.type(line);
    await until(() => hub.engine.answered.length === 1);
    const details = { kind: 'plan', description: 'Accept?', planPath: '/plan.md' } as const;
    hub.engine.report({ type: 'tool', call: { ...call('b'), approval: { options, details } } });
    await attached.shows('/plan.md');
    // Right after a question a line could have been meant for the one before.
    vi.setSystemTime(Date.now() + 1000);
    attached.type('shorter please');
    await until(() => hub.engine.answered.length === 2);
    expect(hub.engine.answered.map(({ answer }) => answer)).toEqual([
      { optionId: 'proceed_once', answers: { 0: 'Postgres', 1: 'it is there' } },
      { optionId: 'proceed_once', feedback: 'shorter please' },
    ]);
    process.emit('SIGINT');
    await attached.code;
  });
});

describe('as a program', () => {
  const run = (...args: string[]): Promise<{ code: unknown; stderr: string }> =>
    new Promise((resolve) => {
      const env = { ...process.env, COSESSION_STATE_DIR: stateDir };
      execFile(process.execPath, [mainScript, ...args], { env }, (error, _stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stderr }),
      );
    });

  test('exit codes: 0 done, 2 the command line was wrong, 5 no session, each with one sentence', async () => {
    hub.engine.report(typed('long'));
    expect(await run('cancel', hub.server.url)).toEqual({ code: 0, stderr: `→ ${hub.server.url}\n` });
    expect(await run('cancel')).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/^cosession: no live session/),
    });
    const refused = await run('watch', 'localhost:1');
    expect(refused).toMatchObject({ code: 5, stderr: expect.stringMatching(/^cosession: cannot connect to ws:/) });
    const wrong = await run('watch', '--colour');
    expect(wrong).toEqual({
      code: 2,
      stderr: 'cosession: cosession watch has no flag --colour; see cosession watch --help\n',
    });
    expect(await run('attach', 'nonsense')).toMatchObject({ code: 5 });
    expect(await run('attach', 'one', 'two')).toMatchObject({ code: 2 });
    expect(await run('send', '--help')).toEqual({ code: 0, stderr: '' });
  });

  test('watch ends when nobody reads what it prints', async () => {
    const shell = `"${process.execPath}" "${mainScript}" watch ${hub.server.url} --json | head -n 1`;
    const piped = new Promise((resolve) => execFile('bash', ['-c', shell], (_error, stdout) => resolve(stdout)));
    await until(() => hub.server.clients === 1);
    const chatter = setInterval(() => hub.engine.report({ type: 'log', level: 'info', text: 'tick' }), 20);
    expect(await piped).toContain('SNAPSHOT');
    await until(() => hub.server.clients === 0);
    clearInterval(chatter);
  });
});

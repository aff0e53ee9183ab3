import { describe, expect, test } from 'vitest';
import type { ToolCall } from '../../../src/domain/tool-call.js';
import { type AgentToolCall, permissionRequest } from '../../../src/engine/acp/agent/agent-messages.js';
import { answered, type CallProgress, detailsOf, normalise, release } from '../../../src/engine/acp/normalise.js';

/** What the engine does with one call: takes an update, gives an answer, or has waited long enough for a question. */
type Update = Omit<AgentToolCall, 'toolCallId'>;
type Move = Update | 'allowed' | 'refused' | 'waited' | 'canceling';

const print = (text: string) => [{ type: 'content' as const, content: { type: 'text' as const, text } }];

function play(moves: readonly Move[], toolCallId = 'call-1'): ToolCall[] {
  let progress: CallProgress | undefined;
  let isCanceling = false;
  const reported: ToolCall[] = [];
  for (const move of moves) {
    if (move === 'canceling') isCanceling = true;
    else if (move === 'allowed' || move === 'refused') progress = answered(known(progress), move === 'refused');
    else {
      const step =
        move === 'waited' ? release(known(progress)) : normalise(progress, { toolCallId, ...move }, isCanceling);
      progress = step.progress;
      reported.push(...step.reports);
    }
  }
  return reported;
}

function known(progress: CallProgress | undefined): CallProgress {
  if (!progress) throw new Error('nothing is known of the call yet');
  return progress;
}

describe('whatever an agent sends, a call is reported when it runs, then its end', () => {
  test.each<[string, Move[], string[]]>([
    [
      'every state',
      [{ status: 'pending' }, { status: 'in_progress' }, 'waited', { status: 'completed' }],
      ['executing', 'succeeded'],
    ],
    [
      'gemini: no word between question and end',
      [{ status: 'pending' }, 'allowed', { status: 'completed' }],
      ['succeeded'],
    ],
    ['gemini: nothing at all after a refusal', [{ status: 'pending' }, 'refused'], []],
    [
      'opencode: it runs before it asks',
      [
        { status: 'pending' },
        { status: 'in_progress' },
        { status: 'pending' },
        'allowed',
        { status: 'in_progress', content: print('one') },
        { status: 'completed' },
      ],
      ['executing', 'succeeded'],
    ],
    ['opencode: failed after a refusal', [{ status: 'pending' }, 'refused', { status: 'failed' }], []],
    ['it ends as soon as it is known', [{ status: 'completed' }], ['executing', 'succeeded']],
    ['it fails before it was said to run', [{ status: 'pending' }, { status: 'failed' }], ['executing', 'failed']],
    [
      'a turn that is stopped',
      [{ status: 'in_progress' }, 'waited', 'canceling', { status: 'failed' }],
      ['executing', 'cancelled'],
    ],
    [
      'news after the end',
      [{ status: 'completed' }, { status: 'failed' }, { status: 'in_progress' }],
      ['executing', 'succeeded'],
    ],
    [
      'opencode: a call that needs no question is said to run twice',
      [{ status: 'pending' }, { status: 'in_progress' }, { status: 'in_progress' }],
      ['executing'],
    ],
    ['output says that it runs', [{ status: 'in_progress', content: print('one') }], ['executing']],
    [
      'a title that changes is no new state',
      [{ status: 'pending' }, { title: 'better' }, { status: 'in_progress' }],
      [],
    ],
  ])('%s', (_name, moves, statuses) => {
    expect(play(moves).map(({ status }) => status)).toEqual(statuses);
  });
});

test.each<[string, string, Update, string]>([
  ['the protocol', 'x', { name: 'bash', kind: 'execute' }, 'bash'],
  ['claude', 'toolu_1', { kind: 'execute', _meta: { claudeCode: { toolName: 'Bash' } } }, 'Bash'],
  ['goose', 'call_1', { kind: 'other', _meta: { goose: { toolCall: { toolName: 'shell' } } } }, 'shell'],
  ['qwen', 'call_1', { kind: 'execute', _meta: { toolName: 'run_shell_command' } }, 'run_shell_command'],
  ['gemini', 'run_shell_command__run_shell_command_17_0', { kind: 'execute' }, 'run_shell_command'],
  ['an agent that only knows kinds', 'call_1', { kind: 'search' }, 'search'],
  ['an agent that knows nothing', 'call_1', {}, 'tool'],
])('the name of a call by %s', (_agent, id, update, name) => {
  expect(play([update, { status: 'completed' }], id)[0]?.name).toBe(name);
});

test('goose: a title that is only the name does not replace one that says more', () => {
  const reported = play([
    { name: 'shell', title: 'shell · ls' },
    { title: 'shell', status: 'completed' },
  ]);
  expect(reported.at(-1)?.description).toBe('shell · ls');
});

test('output that comes in pieces is what the call printed', () => {
  const piece = (data: string) => ({ _meta: { terminal_output_delta: { data } } });
  const reported = play([
    { status: 'in_progress', content: [{ type: 'terminal' }] },
    piece('one\n'),
    { status: 'in_progress', ...piece('two\n') },
    { status: 'completed', _meta: { terminal_exit: { exit_code: 0 } } },
  ]);
  expect(reported.at(-2)).toMatchObject({ status: 'executing', liveOutput: 'one\ntwo\n' });
  expect(reported.at(-1)).toMatchObject({ status: 'succeeded', output: { kind: 'text', text: 'one\ntwo\n' } });
});

test.each<[string, Update, object]>([
  [
    'what the tool gave, before a report for the model',
    { content: print('Command: x\nOutput: one'), rawOutput: 'one' },
    { kind: 'text', text: 'one' },
  ],
  ['text in a fence for a screen', { content: print('```console\none\n```') }, { kind: 'text', text: 'one' }],
  ['data', { rawOutput: { lines: 3 } }, { kind: 'data', data: { lines: 3 } }],
  ['nothing', { content: [] }, { kind: 'text', text: '' }],
  [
    'a new file',
    { content: [{ type: 'diff', path: '/project/a.txt', newText: 'new\n' }] },
    {
      kind: 'diff',
      diff: { fileName: 'a.txt', filePath: '/project/a.txt', newContent: 'new\n', formatted: '@@ -0,0 +1,1 @@\n+new' },
    },
  ],
])('the output: %s', (_name, update, output) => {
  expect(play([{ status: 'completed', ...update }]).at(-1)).toMatchObject({ output });
});

test('a failure tells what the agent said of it', () => {
  expect(play([{ status: 'failed', content: print('no such file') }]).at(-1)).toMatchObject({
    error: { message: 'no such file' },
  });
});

test.each<[string, Update, object]>([
  [
    'a command, whatever its kind',
    { kind: 'other', rawInput: { command: 'ls', cwd: '/project' } },
    { kind: 'execute', command: 'ls', workingDirectory: '/project' },
  ],
  [
    'a command in words',
    { kind: 'execute', rawInput: { command: ['ls', '-l'] } },
    { kind: 'execute', command: 'ls -l' },
  ],
  ['a command that is only a title', { kind: 'execute', title: 'ls' }, { kind: 'execute', command: 'ls' }],
  [
    'an edit',
    { kind: 'edit', content: [{ type: 'diff', path: '/a', oldText: 'x\n', newText: 'y\n' }] },
    {
      kind: 'edit',
      diff: {
        fileName: 'a',
        filePath: '/a',
        oldContent: 'x\n',
        newContent: 'y\n',
        formatted: '@@ -1,1 +1,1 @@\n-x\n+y',
      },
      isReadOnly: true,
    },
  ],
  [
    'anything else, with all that is known',
    { kind: 'fetch', title: 'Fetch', content: print('a page'), rawInput: { url: 'http://x' } },
    { kind: 'generic', description: 'Fetch\na page\n{\n  "url": "http://x"\n}' },
  ],
])('a question about %s', (_name, update, details) => {
  expect(detailsOf(normalise(undefined, { ...update, toolCallId: 'x' }, false).progress.call)).toEqual(details);
});

test('parameters that come in two parts are one', () => {
  const last = play([{ rawInput: { cwd: '/project' } }, { status: 'completed', rawInput: { command: 'ls' } }]).at(-1);
  expect(last?.args).toEqual({ cwd: '/project', command: 'ls' });
});

test('a question whose content has an unknown kind is still a question', () => {
  const asked = permissionRequest.parse({
    sessionId: 's',
    toolCall: { toolCallId: 'x', status: 'waiting?', content: [{ type: 'hologram' }, ...print('text')] },
    options: [{ optionId: 'ok', name: 'OK', kind: 'allow_once', extra: 1 }],
  });
  expect(asked.toolCall).toMatchObject({ status: undefined, content: print('text') });
});

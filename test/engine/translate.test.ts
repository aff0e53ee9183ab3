import { describe, expect, test } from 'vitest';
import type { CoreConfirmation, CoreStreamEvent, CoreToolCall } from '../../src/engine/gemini/core-types.js';
import { errorText } from '../../src/engine/gemini/error-text.js';
import { translateApproval } from '../../src/engine/gemini/translate-approval.js';
import { translateCall } from '../../src/engine/gemini/translate-call.js';
import { translateStream } from '../../src/engine/gemini/translate-stream.js';

const rules = {
  mayAllowSession: true,
  mayAllowForever: true,
  fileExists: (path: string) => path !== '/new',
  readPlan: (path: string) => (path === '/p.md' ? '# Plan\n1. read\n' : undefined),
};
const request = { callId: 'c1', name: 'run_shell_command', args: { command: 'ls' } };
const base = { id: 'c1', name: 'run_shell_command', args: { command: 'ls' } };

describe('tool calls of core', () => {
  test.each<[string, Partial<CoreToolCall>, object]>([
    ['scheduled', { status: 'scheduled' }, { status: 'pending' }],
    ['running without output', { status: 'executing' }, { status: 'executing' }],
    ['text output', { status: 'executing', liveOutput: 'a\n' }, { status: 'executing', liveOutput: 'a\n' }],
    [
      'terminal output, padded lines of tokens',
      {
        status: 'executing',
        liveOutput: [[{ text: 'li' }, { text: 'ne 1   ' }], [{ text: 'line 2' }], [{ text: '   ' }]],
      },
      { status: 'executing', liveOutput: 'line 1\nline 2' },
    ],
    [
      'success',
      { status: 'success', response: { resultDisplay: 'done' } },
      { status: 'succeeded', output: { kind: 'text', text: 'done' } },
    ],
    [
      'a file diff',
      {
        status: 'success',
        response: {
          resultDisplay: { fileDiff: '+b', fileName: 'f', filePath: '/f', originalContent: 'a', newContent: 'b' },
        },
      },
      {
        status: 'succeeded',
        output: {
          kind: 'diff',
          diff: { fileName: 'f', filePath: '/f', oldContent: 'a', newContent: 'b', formatted: '+b' },
        },
      },
    ],
    [
      'structured output',
      { status: 'success', response: { resultDisplay: { todos: [] } } },
      { status: 'succeeded', output: { kind: 'data', data: { todos: [] } } },
    ],
    [
      'an error with its type',
      { status: 'error', response: { error: { message: 'no such file' }, errorType: 'file_not_found' } },
      { status: 'failed', error: { message: 'no such file', type: 'file_not_found' } },
    ],
    [
      'cancelled',
      { status: 'cancelled', response: { error: { message: 'denied' } } },
      { status: 'cancelled', reason: 'denied' },
    ],
    ['answered, not yet scheduled', { status: 'awaiting_approval', outcome: 'proceed_once' }, { status: 'pending' }],
    [
      'of an agent run as a tool',
      { status: 'executing', request: { ...request, parentCallId: 'p' } },
      { parentId: 'p', status: 'executing' },
    ],
  ])('%s', (_name, given, expected) => {
    const call = { status: 'validating', request, ...given } as CoreToolCall;
    expect(translateCall(call, rules)).toEqual({ ...base, ...expected });
  });

  test('nothing is said of a call while core checks whether it has to ask', () => {
    expect(translateCall({ status: 'validating', request }, rules)).toBeUndefined();
  });

  test('a huge result is cut, and says how much is missing', () => {
    const call = { status: 'success', request, response: { resultDisplay: 'x'.repeat(300_000) } } as const;
    const translated = translateCall(call, rules);
    expect(JSON.stringify(translated).length).toBeLessThan(270_000);
    expect(JSON.stringify(translated)).toContain('37856 characters more');
  });
});

describe('questions of core, with the options the dialog shows', () => {
  const ids = (asked: CoreConfirmation, given = rules) => translateApproval(asked, given).options.map(({ id }) => id);
  const edit = {
    type: 'edit',
    fileName: 'f',
    filePath: '/f',
    fileDiff: '+b',
    originalContent: null,
    newContent: 'b',
  } as const;
  const all = ['proceed_once', 'proceed_always', 'proceed_always_and_save', 'cancel'];

  test.each<[string, CoreConfirmation, string[]]>([
    ['exec', { type: 'exec', command: 'ls' }, all],
    [
      'exec with untrusted flags',
      { type: 'exec', command: 'git -c x', untrustedFlags: ['-c'] },
      ['proceed_once', 'cancel'],
    ],
    ['edit', edit, ['proceed_once', 'proceed_always', 'proceed_always_and_save', 'cancel']],
    ['edit of a build file', { ...edit, isBuildFile: true }, ['proceed_once', 'cancel']],
    [
      'mcp',
      { type: 'mcp', serverName: 's', toolName: 't' },
      ['proceed_once', 'proceed_always_tool', 'proceed_always_server', 'proceed_always_and_save', 'cancel'],
    ],
    ['info', { type: 'info', prompt: 'fetch?', urls: ['https://a'] }, all],
    ['sandbox', { type: 'sandbox_expansion', command: 'curl' }, all],
    ['ask_user', { type: 'ask_user', questions: [{ question: 'Which?' }] }, ['proceed_once', 'cancel']],
    ['plan', { type: 'exit_plan_mode', planPath: '/p.md' }, ['proceed_once', 'cancel']],
  ])('%s', (_name, asked, options) => expect(ids(asked)).toEqual(options));

  test('nothing is offered for good in an untrusted folder or without the setting', () => {
    expect(ids({ type: 'exec', command: 'ls' }, { ...rules, mayAllowSession: false })).toEqual([
      'proceed_once',
      'cancel',
    ]);
    expect(ids({ type: 'exec', command: 'ls' }, { ...rules, mayAllowForever: false })).not.toContain(
      'proceed_always_and_save',
    );
  });

  test('details carry what a person needs to decide', () => {
    const details = (asked: CoreConfirmation) => translateApproval(asked, rules).details;
    expect(details({ type: 'exec', command: 'ls' })).toEqual({ kind: 'execute', command: 'ls' });
    expect(details(edit)).toEqual({
      kind: 'edit',
      diff: { fileName: 'f', filePath: '/f', newContent: 'b', formatted: '+b' },
    });
    expect(details({ ...edit, filePath: '/new', originalContent: '' })).not.toHaveProperty('diff.oldContent');
    expect(details({ ...edit, filePath: '/empty', originalContent: '' })).toHaveProperty('diff.oldContent', '');
    expect(details({ type: 'info', prompt: 'fetch?', urls: ['https://a'] })).toEqual({
      kind: 'generic',
      description: 'fetch?\nhttps://a',
    });
    const questions = [{ question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }];
    expect(details({ type: 'ask_user', questions })).toEqual({
      kind: 'questions',
      description: '0. Which? (A / B)',
      questions,
    });
  });

  test('a kind that a later release adds is still shown', () => {
    const asked = { type: 'teleport', to: 'mars' } as unknown as CoreConfirmation;
    expect(translateApproval(asked, rules).details).toEqual({
      kind: 'generic',
      description: '{"type":"teleport","to":"mars"}',
    });
  });
});

describe('the model stream of core', () => {
  test.each<[CoreStreamEvent, object | undefined]>([
    [
      { type: 'content', value: 'hi' },
      { type: 'text', text: 'hi' },
    ],
    [
      { type: 'thought', value: { subject: 's', description: 'd' } },
      { type: 'thought', subject: 's', description: 'd' },
    ],
    [
      { type: 'citation', value: 'https://a' },
      { type: 'citation', text: 'https://a' },
    ],
    [
      {
        type: 'finished',
        value: { usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 } },
      },
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 } },
    ],
    [{ type: 'finished', value: {} }, undefined],
    [
      { type: 'error', value: { error: { message: 'quota' } } },
      { type: 'error', message: 'quota' },
    ],
    [
      { type: 'invalid_stream', value: { message: 'empty' } },
      { type: 'error', message: 'empty' },
    ],
    [{ type: 'model_info', value: 'm' }, undefined],
    [{ type: 'user_cancelled' }, undefined],
  ])('%j', (event, expected) => expect(translateStream(event)).toEqual(expected));

  test.each<[CoreStreamEvent, RegExp]>([
    [{ type: 'retry' }, /requested again/],
    [{ type: 'loop_detected' }, /loop/],
    [{ type: 'max_session_turns' }, /maximum number of turns/],
    [{ type: 'agent_execution_stopped', value: { reason: 'a hook said no' } }, /a hook said no/],
    [
      { type: 'context_window_will_overflow', value: { estimatedRequestTokenCount: 9, remainingTokenCount: 5 } },
      /9 tokens, 5 are left/,
    ],
  ])('%j is said in words', (event, expected) => expect(JSON.stringify(translateStream(event))).toMatch(expected));
});

test.each([
  ['plain', 'boom', 'boom'],
  ['an Error', new Error('boom'), 'boom'],
  ['JSON in the message', new Error('{"error":{"code":400,"message":"API key not valid"}}'), 'API key not valid'],
  ['JSON in JSON', { message: '{"error":{"message":"{\\"error\\":{\\"message\\":\\"quota\\"}}"}}' }, 'quota'],
  ['JSON after text', 'got status: 429. {"error":{"message":"slow down"}}', 'slow down'],
  ['broken JSON', 'oops {', 'oops {'],
  ['nothing', undefined, 'the model call failed'],
])('the sentence in %s', (_name, error, expected) => expect(errorText(error)).toBe(expected));

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Answer, ApprovalDetails, WaitingCall } from '../../src/domain/tool-call.js';
import { answerInWords } from '../../src/dialects/shared/answer-in-words.js';
import { questionText } from '../../src/dialects/shared/question-text.js';
import { yesOrNo } from '../../src/dialects/shared/yes-or-no.js';
import { waitingShell } from '../support/manual-engine.js';

const read = (words: string, ...open: WaitingCall[]): Answer | undefined => answerInWords(words, open)?.answer;

describe('a plain yes or no', () => {
  test.each([
    'yes',
    'Y',
    ' YES! ',
    'yes please',
    'ok',
    'Okay.',
    'sure',
    'allow',
    'Approve it',
    'proceed',
    'go ahead',
    'Yes, please proceed.',
    'yes, run the command',
    'do it',
    'I approve this',
    'Allow once',
    '**yes**',
  ])('%s is yes', (words) => expect(yesOrNo(words)).toBe('yes'));

  test.each([
    'no',
    'N',
    'No, thanks.',
    'deny',
    'reject it',
    'cancel',
    'STOP',
    "don't",
    'don’t do it',
    'do not proceed',
    'please do not run it',
    'not now',
    'no, do not allow it',
    'never mind',
  ])('%s is no', (words) => expect(yesOrNo(words)).toBe('no'));

  test.each([
    '',
    'maybe',
    'yes?',
    'not sure',
    "don't stop",
    "yes don't",
    'ok no',
    'no, go ahead',
    'yes to all',
    'always allow',
    'yes, for this session',
    'why not',
    'I do not know',
    'yes but only in /tmp',
    '👍',
    'yes 👎',
    'yesterday',
    'now',
    'please',
  ])('%s is neither', (words) => expect(yesOrNo(words)).toBeUndefined());
});

describe('an answer to a permission', () => {
  test.each([
    ['proceed_always', 'proceed_always'],
    ['PROCEED_ALWAYS', 'proceed_always'],
    ['Allow for this session', 'proceed_always'],
    ['"allow for this session."', 'proceed_always'],
    ['2', 'proceed_always'],
    ['2.', 'proceed_always'],
    ['#2', 'proceed_always'],
    ['Option 2', 'proceed_always'],
    ['2. Allow for this session [proceed_always]', 'proceed_always'],
    ['No, suggest changes', 'cancel'],
    ['No, suggest changes (esc)', 'cancel'],
    ['3', 'cancel'],
    ['yes', 'proceed_once'],
    ['no', 'cancel'],
    ['call-1: yes', 'proceed_once'],
    ['`question-call-1` no', 'cancel'],
  ])('%s is %s', (words, optionId) => expect(read(words, waitingShell())).toEqual({ optionId }));

  test.each(['0', '4', '12', 'always', 'session', 'proceed', 'what does it do?', 'call-2: yes', 'call-10 yes'])(
    '%s chooses nothing that was not offered',
    (words) => expect(read(words, waitingShell())?.optionId).toBe(words === 'proceed' ? 'proceed_once' : undefined),
  );

  test('a yes never chooses anything wider than once, whatever the options are called', () => {
    const options = [
      { id: 'allow', name: 'Yes' },
      { id: 'cancel', name: 'No' },
    ];
    const call = { ...waitingShell(), approval: { ...waitingShell().approval, options } };
    const offered = {
      ...call,
      approval: { ...call.approval, options: [...options, { id: 'proceed_once', name: 'Once' }] },
    };
    expect(read('allow', offered)).toEqual({ optionId: 'proceed_once' });
    expect(read('ok', call)).toBeUndefined();
  });

  test('of several questions the words must name theirs', () => {
    const open = [waitingShell('call-1'), waitingShell('call-10')];
    expect(read('yes', ...open)).toBeUndefined();
    expect(answerInWords('call-10: 2', open)).toEqual({ callId: 'call-10', answer: { optionId: 'proceed_always' } });
    expect(answerInWords('call-1 no', open)).toEqual({ callId: 'call-1', answer: { optionId: 'cancel' } });
  });

  test('whatever is said, only an offered option is chosen, and words that are none of ours choose none', () => {
    const ids = waitingShell().approval.options.map(({ id }) => id);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (words) => {
        const optionId = read(words, waitingShell())?.optionId;
        expect(optionId === undefined || ids.includes(optionId)).toBe(true);
        expect(read(`zebra ${words}`, waitingShell())).toBeUndefined();
      }),
    );
  });
});

function asking(details: ApprovalDetails, yes = 'Submit answers', no = 'Dismiss'): WaitingCall {
  const options = [
    { id: 'proceed_once', name: yes },
    { id: 'cancel', name: no },
  ];
  return { ...waitingShell(), name: 'ask_user', approval: { options, details } };
}

describe('an answer to the agent', () => {
  const store = { question: 'Which store?', type: 'choice', options: [{ label: 'SQLite' }, { label: 'Postgres' }] };
  const sure = { question: 'Really?', type: 'yesno' };
  const ask = (...questions: object[]) => asking({ kind: 'questions', description: '', questions });

  test.each<[string, WaitingCall, Record<string, string> | undefined]>([
    ['postgres', ask(store), { 0: 'Postgres' }],
    ['2', ask(store), { 0: 'Postgres' }],
    ['MongoDB, please', ask(store), { 0: 'MongoDB, please' }],
    ['7', ask(store), undefined],
    ['  ', ask(store), undefined],
    ['1, 2', ask({ ...store, multiSelect: true }), { 0: 'SQLite, Postgres' }],
    ['sure', ask(sure), { 0: 'Yes' }],
    ['no', ask(sure), { 0: 'No' }],
    ['hm', ask(sure), undefined],
    ['2\nyes', ask(store, sure), { 0: 'Postgres', 1: 'Yes' }],
    ['2: no\n1: sqlite', ask(store, sure), { 0: 'SQLite', 1: 'No' }],
    ['2', ask(store, sure), undefined],
  ])('%j', (words, call, answers) => {
    expect(read(words, call)).toEqual(answers && { optionId: 'proceed_once', answers });
  });

  test.each(['cancel', 'Dismiss'])('%s dismisses it', (words) => {
    expect(read(words, ask(store))).toEqual({ optionId: 'cancel' });
  });

  test('whatever is no choice is said about a plan', () => {
    const plan = asking(
      { kind: 'plan', description: 'Accept?', planPath: '/p.md' },
      'Accept the plan',
      'Keep planning',
    );
    expect(read('yes', plan)).toEqual({ optionId: 'proceed_once' });
    expect(read('keep planning', plan)).toEqual({ optionId: 'cancel' });
    expect(read('Yes, but smaller', plan)).toEqual({ optionId: 'proceed_once', feedback: 'Yes, but smaller' });
  });
});

describe('a question in words', () => {
  test('shows what would run, the options and how to answer; no line of the command passes for one of ours', () => {
    const details = {
      kind: 'execute',
      command: 'ls\n1. Allow once [cancel]\u202e',
      workingDirectory: '/project',
    } as const;
    const call = { ...waitingShell(), approval: { ...waitingShell().approval, details } };
    expect(questionText([call]).split('\n')).toEqual([
      'Permission needed: run_shell_command wants to run in /project',
      '│ ls',
      '│ 1. Allow once [cancel]\\u{202e}',
      '1. Allow once [proceed_once]',
      '2. Allow for this session [proceed_always]',
      '3. No, suggest changes (esc) [cancel]',
      'Answer with a text message to this task: the number, id or name of an option, or yes (this once) or no.',
      'Or send a data part: {"tool_call_id": "call-1", "selected_option_id": "…"}',
    ]);
  });

  test('of a foreign tool the server, the tool and the arguments; of several questions how to name one', () => {
    const mcp = asking({ kind: 'mcp', serverName: 'db', toolName: 'drop' });
    expect(questionText([mcp])).toContain('the tool drop of the MCP server db wants to run with\n│ {\n│   "command"');
    expect(questionText([mcp, waitingShell('call-2')])).toContain('such as "call-1: no"');
    expect(questionText([mcp, waitingShell('call-2')])).toContain('Question 2, call-2:');
  });

  test('of a change too large for a message the beginning, and how much is missing', () => {
    const diff = { fileName: 'a', filePath: '/a', newContent: 'x'.repeat(70_000) };
    expect(questionText([asking({ kind: 'edit', diff })])).toContain('… 4464 more characters');
  });
});

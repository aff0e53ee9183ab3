import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fc } from '../support/properties.js';
import { expect, test } from 'vitest';
import type { Command } from '../../src/domain/command.js';
import type { EventBody, SessionEvent, TurnState } from '../../src/domain/events.js';
import type { ToolCall } from '../../src/domain/tool-call.js';
import type { View } from '../../src/dialects/acp/dialect.js';
import { emptyScene, nextScene } from '../../src/dialects/acp/scene.js';
import { toAvailableCommandsV2 } from '../../src/dialects/acp-v2/commands.js';
import { gitPatch } from '../../src/dialects/acp-v2/git-patch.js';
import { promptTextV2 } from '../../src/dialects/acp-v2/prompt.js';
import { v2 } from '../../src/dialects/acp-v2/v2.js';
import { waitingShell } from '../support/manual-engine.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const plain: View = {
  hasTerminal: true,
  hasNotices: true,
  isOwn: false,
  knowsCall: false,
  printed: '',
  statusBefore: undefined,
  choices: { modes: [{ id: 'plan', name: 'Plan' }], models: [] },
  model: 'gemini-2.5-pro',
  scene: emptyScene,
};
const stamp = (body: EventBody, seq = 7, turnId = 'turn'): SessionEvent => ({
  ...body,
  seq,
  turnId,
  at: '',
  sessionId: 's',
});
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const shell = { id: '1', name: 'run_shell_command', args: { command: 'ls' } };
const running = { knowsCall: true, statusBefore: 'executing', printed: 'one\n' } as const;
const tool = (call: Partial<ToolCall>): EventBody => ({ type: 'tool', call: { ...shell, ...call } as ToolCall });
const opened = (more: object): object => ({
  sessionUpdate: 'terminal_update',
  terminalId: '1',
  command: 'ls',
  ...more,
});
const terminalCall = (status: string): unknown =>
  expect.objectContaining({
    sessionUpdate: 'tool_call_update',
    toolCallId: '1',
    status,
    content: [{ type: 'terminal', terminalId: '1' }],
  });
const todos = [
  { description: 'read', status: 'completed' },
  { description: 'dropped', status: 'cancelled' },
  { description: 'write' },
];

test.each<[string, EventBody, Partial<View>, unknown[]]>([
  [
    'text: a piece of the passage',
    { type: 'text', text: 'hi' },
    { scene: { ...emptyScene, passage: 3 } },
    [{ sessionUpdate: 'agent_message_chunk', messageId: '3', content: { type: 'text', text: 'hi' } }],
  ],
  [
    'a prompt, whoever sent it',
    { type: 'prompt', text: 'do it', origin: { surface: 'acp' } },
    { isOwn: true },
    [
      {
        sessionUpdate: 'user_message',
        messageId: '7',
        content: [{ type: 'text', text: 'do it' }],
        _meta: { cosession: { origin: { surface: 'acp' } } },
      },
    ],
  ],
  ['a prompt that waits', { type: 'prompt', text: 'later', origin: { surface: 'acp' }, queued: 1 }, {}, []],
  [
    'a log line',
    { type: 'log', level: 'warn', text: 'slow' },
    {},
    [{ sessionUpdate: 'notice', severity: 'warning', title: 'slow' }],
  ],
  ['a log line for developers', { type: 'log', level: 'debug', text: 'x' }, {}, []],
  [
    'an error',
    { type: 'error', message: 'quota' },
    {},
    [{ sessionUpdate: 'notice', severity: 'error', title: 'quota' }],
  ],
  [
    'settings',
    { type: 'settings', model: '', approvalMode: 'plan' },
    {},
    [
      {
        sessionUpdate: 'config_option_update',
        configOptions: [
          {
            configId: 'mode',
            category: 'mode',
            name: 'Approval mode',
            type: 'select',
            currentValue: 'plan',
            options: [{ value: 'plan', name: 'Plan' }],
          },
        ],
      },
    ],
  ],
  ['usage', { type: 'usage', usage: { totalTokens: 9 } }, {}, [expect.objectContaining({ used: 9, size: 1_048_576 })]],
  [
    'a cancelled call',
    tool({ name: 'glob', status: 'cancelled' }),
    {},
    [expect.objectContaining({ sessionUpdate: 'tool_call_update', kind: 'search', status: 'cancelled' })],
  ],
  [
    'a list of things to do',
    tool({ name: 'write_todos', args: { todos }, status: 'succeeded', output: { kind: 'text', text: 'ok' } }),
    {},
    [
      expect.objectContaining({ sessionUpdate: 'tool_call_update', status: 'completed' }),
      {
        sessionUpdate: 'plan_update',
        plan: {
          type: 'items',
          planId: 'todos',
          entries: [
            { content: 'read', priority: 'medium', status: 'completed' },
            { content: 'dropped', priority: 'medium', status: 'cancelled' },
            { content: 'write', priority: 'medium', status: 'pending' },
          ],
        },
      },
    ],
  ],
  [
    'a command that has not run: no terminal',
    { type: 'tool', call: waitingShell() },
    {},
    [expect.not.objectContaining({ content: expect.anything() as unknown })],
  ],
  [
    'a command that starts',
    tool({ status: 'executing' }),
    { knowsCall: true },
    [opened({}), terminalCall('in_progress')],
  ],
  [
    'a command that has printed, for who did not know it',
    tool({ status: 'executing', liveOutput: 'one\n' }),
    { ...running, knowsCall: false },
    [opened({ output: { data: base64('one\r\n') } }), terminalCall('in_progress')],
  ],
  [
    'a command that prints on: only that',
    tool({ status: 'executing', liveOutput: 'one\ntwo\n' }),
    running,
    [{ sessionUpdate: 'terminal_output_chunk', terminalId: '1', data: base64('two\r\n') }],
  ],
  [
    'a command whose output has lost its beginning',
    tool({ status: 'executing', liveOutput: 'two\n' }),
    running,
    [{ sessionUpdate: 'terminal_update', terminalId: '1', output: { data: base64('two\r\n') } }],
  ],
  [
    'a command that is done',
    tool({ status: 'succeeded', output: { kind: 'text', text: 'one\n' } }),
    running,
    [{ sessionUpdate: 'terminal_update', terminalId: '1', exitStatus: {} }, terminalCall('completed')],
  ],
  [
    'a command that is done, told without its last line end',
    tool({ status: 'succeeded', output: { kind: 'text', text: 'one' } }),
    running,
    [{ sessionUpdate: 'terminal_update', terminalId: '1', exitStatus: {} }, terminalCall('completed')],
  ],
  [
    'a command that failed while it ran',
    tool({ status: 'failed', error: { message: 'killed' } }),
    running,
    [
      { sessionUpdate: 'terminal_update', terminalId: '1', exitStatus: {} },
      expect.objectContaining({
        status: 'failed',
        content: [
          { type: 'terminal', terminalId: '1' },
          { type: 'content', content: { type: 'text', text: 'killed' } },
        ],
      }),
    ],
  ],
  [
    'a command that never ran',
    tool({ status: 'failed', error: { message: 'no such folder' } }),
    { knowsCall: true, statusBefore: 'waiting' },
    [expect.objectContaining({ content: [{ type: 'content', content: { type: 'text', text: 'no such folder' } }] })],
  ],
])('%s', (_, body, view, expected) => {
  expect(v2.toUpdates(stamp(body), { ...plain, ...view })).toEqual(expected);
});

const turn = (state: TurnState, id = 'a', error?: string): [EventBody, string] => [
  { type: 'turn', state, ...(error === undefined ? {} : { error }) },
  id,
];
const asks: [EventBody, string] = [{ type: 'tool', call: waitingShell() }, 'a'];

test.each<[string, [EventBody, string][], object | undefined]>([
  ['begins', [turn('working')], { state: 'running' }],
  ['asks', [turn('working'), asks, turn('input-required')], { state: 'requires_action' }],
  ['wants another message', [turn('working'), turn('input-required')], { state: 'idle', stopReason: 'end_turn' }],
  ['is done', [turn('working'), turn('completed')], { state: 'idle', stopReason: 'end_turn' }],
  ['is cancelled', [turn('working'), turn('canceled')], { state: 'idle', stopReason: 'cancelled' }],
  ['is refused', [turn('working'), turn('rejected')], { state: 'idle', stopReason: 'refusal' }],
  [
    'fails',
    [turn('working'), turn('failed', 'a', 'quota')],
    { state: 'idle', stopReason: 'error', error: { code: -32603, message: 'quota' } },
  ],
  ['is taken back while another runs', [turn('working'), turn('canceled', 'b')], undefined],
])('a turn that %s', (_, events, expected) => {
  let scene = emptyScene;
  let updates: object[] = [];
  for (const [index, [body, id]] of events.entries()) {
    const event = stamp(body, index + 1, id);
    scene = nextScene(scene, event);
    updates = v2.toUpdates(event, { ...plain, scene });
  }
  expect(updates).toMatchObject(expected === undefined ? [] : [{ sessionUpdate: 'state_update', ...expected }]);
  expect(updates).toHaveLength(expected === undefined ? 0 : 1);
});

test('a command is the subject of a permission when its folder is known', () => {
  const call = waitingShell();
  const options = [{ id: 'yes', name: 'Yes' }];
  const details = { kind: 'execute', command: 'ls', workingDirectory: '/project' } as const;
  expect(v2.toPermissionRequest('s', { ...call, approval: { options, details } })).toMatchObject({
    title: 'Allow ls?',
    subject: { type: 'command', command: 'ls', cwd: '/project', toolCallId: 'call-1' },
    options: [{ optionId: 'yes', kind: 'allow_once' }],
  });
});

test('commands have names without spaces; what can follow them is a hint', () => {
  const command = (name: string, more: Partial<Command> = {}): Command => ({
    name,
    description: name,
    arguments: [],
    subCommands: [],
    ...more,
  });
  const memory = command('memory', { subCommands: [command('show'), command('add')] });
  const file = { name: 'file', description: '', isRequired: true };
  expect(toAvailableCommandsV2([memory, command('save', { arguments: [file] }), command('two words')])).toEqual([
    { type: 'command', name: 'memory', description: 'memory', input: { type: 'text', hint: 'show | add' } },
    { type: 'command', name: 'save', description: 'save', input: { type: 'text', hint: '<file>' } },
  ]);
});

test('a prompt is text, files are mentioned, and what we do not know is left out by name', () => {
  const link = { type: 'resource_link', name: 'a', uri: 'file:///project/a.txt' } as const;
  expect(promptTextV2([{ type: 'text', text: 'see ' }, link, { type: '_hologram', size: 3 }])).toBe(
    'see @/project/a.txt[_hologram left out]',
  );
});

test('a patch is what git applies', () => {
  const folder = temporaryFolder();
  execFileSync('git', ['init', '-q'], { cwd: folder });
  const line = fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'end');
  const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join(''));
  const name = fc.constantFrom('a.txt', 'a folder/a file.txt', 'quo"te.txt', 'ümlaut.txt');
  fc.assert(
    fc.property(name, fc.option(text, { nil: undefined }), text, (filePath, oldContent, newContent) => {
      const file = join(folder, filePath);
      const diff = { fileName: filePath, filePath, newContent, ...(oldContent === undefined ? {} : { oldContent }) };
      const patch = gitPatch(diff);
      expect(patch === undefined).toBe(newContent === oldContent);
      if (patch === undefined) return;
      mkdirSync(dirname(file), { recursive: true });
      rmSync(file, { force: true });
      if (oldContent !== undefined && oldContent !== '') writeFileSync(file, oldContent);
      execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: folder, input: patch });
      expect(readFileSync(file, 'utf8')).toBe(newContent);
    }),
    { numRuns: 60 },
  );
});

import type { ContentBlock } from '@agentclientprotocol/sdk';
import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/domain/command.js';
import type { ToolCall } from '../../src/domain/tool-call.js';
import { isSlashCommand, toAvailableCommands } from '../../src/dialects/acp/commands.js';
import { toPermissionOptions } from '../../src/dialects/acp/options.js';
import { promptText } from '../../src/dialects/acp/prompt.js';
import { type Printed, withTerminal } from '../../src/dialects/acp/terminal-output.js';

const link = (uri: string): ContentBlock => ({ type: 'resource_link', name: 'it', uri });

describe('a prompt, as text', () => {
  test.each<[string, ContentBlock[], string]>([
    ['nothing', [], ''],
    ['text', [{ type: 'text', text: 'hello' }], 'hello'],
    [
      'blocks in a row',
      [{ type: 'text', text: 'explain ' }, link('file:///a.ts'), { type: 'text', text: ' please' }],
      'explain @/a.ts please',
    ],
    ['a file', [link('file:///project/src/main.ts')], '@/project/src/main.ts'],
    [
      'a file with a space and what would end a path',
      [link('file:///my%20notes/a%20(1),%23.md')],
      '@/my\\ notes/a\\ \\(1\\)\\,\\#.md',
    ],
    ['a file with letters of another language', [link('file:///%C3%BCber.md')], '@/über.md'],
    ['lines of a file', [link('file:///a.ts#L3:7')], '@/a.ts'],
    ['a file whose address cannot be read', [link('file:///100%.md')], 'file:///100%.md'],
    ['a page', [link('https://example.com/a%20b')], 'https://example.com/a%20b'],
    ['what is no address', [link('notes')], 'notes'],
    [
      'the text of a file',
      [{ type: 'resource', resource: { uri: 'file:///a.ts', text: 'let a;' } }],
      '\n<context ref="file:///a.ts">\nlet a;\n</context>\n',
    ],
    ['a file that is no text', [{ type: 'resource', resource: { uri: 'file:///a.png', blob: 'AA==' } }], '@/a.png'],
    ['an image', [{ type: 'image', mimeType: 'image/png', data: 'AA==' }], '[image left out]'],
    ['a sound', [{ type: 'audio', mimeType: 'audio/wav', data: 'AA==' }], '[audio left out]'],
  ])('%s', (_name, blocks, expected) => expect(promptText(blocks)).toBe(expected));
});

describe("what a command prints, in a client's terminal", () => {
  const shell = { id: 'c1', name: 'run_shell_command', args: {} };
  const at = { terminal_id: 'c1' };
  const clear = '\u001b[2J\u001b[3J\u001b[H';
  const fresh: Printed = { isNew: true, text: '' };
  const shown = (text: string): Printed => ({ isNew: false, text });
  const succeeded = (text: string): ToolCall => ({ ...shell, status: 'succeeded', output: { kind: 'text', text } });
  const exit = (exit_code: number) => ({ terminal_exit: { ...at, exit_code, signal: null } });

  test.each<[string, ToolCall, Printed, object]>([
    ['it is announced', { ...shell, status: 'pending' }, fresh, { terminal_info: at }],
    ['it runs and is silent', { ...shell, status: 'executing' }, shown(''), {}],
    [
      'its first lines',
      { ...shell, status: 'executing', liveOutput: 'one\ntwo' },
      shown(''),
      { terminal_output: { ...at, data: 'one\r\ntwo' } },
    ],
    [
      'only what is new',
      { ...shell, status: 'executing', liveOutput: 'one\ntwo\n' },
      shown('one\n'),
      { terminal_output: { ...at, data: 'two\r\n' } },
    ],
    [
      'an output whose beginning was dropped',
      { ...shell, status: 'executing', liveOutput: 'three' },
      shown('one'),
      { terminal_output: { ...at, data: `${clear}three` } },
    ],
    ['its end', succeeded('one\n'), shown('one\n'), { terminal_output: { ...at, data: '' }, ...exit(0) }],
    [
      'a result in other words',
      succeeded('Output: one'),
      shown('one'),
      { terminal_output: { ...at, data: `${clear}Output: one` }, ...exit(0) },
    ],
    [
      'an end that its client sees first',
      succeeded('one'),
      fresh,
      { terminal_info: at, terminal_output: { ...at, data: 'one' }, ...exit(0) },
    ],
    [
      'a result without text',
      { ...shell, status: 'succeeded', output: { kind: 'data', data: {} } },
      shown('one'),
      exit(0),
    ],
    [
      'a failure',
      { ...shell, status: 'failed', error: { message: 'exit 2' } },
      shown(''),
      { terminal_output: { ...at, data: 'exit 2' }, ...exit(1) },
    ],
    ['a no', { ...shell, status: 'cancelled' }, shown('one'), exit(1)],
  ])('%s', (_name, call, printed, facts) => {
    expect(withTerminal({ toolCallId: 'c1', _meta: { kept: true } }, call, printed)).toEqual({
      toolCallId: 'c1',
      content: [{ type: 'terminal', terminalId: 'c1' }],
      _meta: { kept: true, ...facts },
    });
  });
});

describe('commands', () => {
  const argument = (name: string, isRequired: boolean) => ({ name, description: '', isRequired });
  const command = (name: string, more: Partial<Command> = {}): Command => ({
    name,
    description: `does ${name}`,
    arguments: [],
    subCommands: [],
    ...more,
  });
  const tree = [
    command('stats'),
    command('memory', {
      subCommands: [command('show'), command('add', { arguments: [argument('text', true), argument('where', false)] })],
    }),
  ];

  test('are one flat list, with a hint at their arguments', () => {
    expect(toAvailableCommands(tree)).toEqual([
      { name: 'stats', description: 'does stats' },
      { name: 'memory', description: 'does memory' },
      { name: 'memory show', description: 'does show' },
      { name: 'memory add', description: 'does add', input: { hint: '<text> [where]' } },
    ]);
    expect(toAvailableCommands([])).toEqual([]);
  });

  test.each([
    ['/stats', true],
    ['/memory add it', true],
    ['/memory\nadd', true],
    ['/statistics', false],
    ['/usr/bin/env', false],
    ['say /stats', false],
    ['/', false],
    ['', false],
  ])('%j is one: %s', (text, expected) => expect(isSlashCommand(text, tree)).toBe(expected));
});

describe('an option of a question', () => {
  test.each([
    ['proceed_once', 'allow_once'],
    ['proceed_always', 'allow_always'],
    ['proceed_always_server', 'allow_always'],
    ['proceed_always_tool', 'allow_always'],
    ['proceed_always_and_save', 'allow_always'],
    ['cancel', 'reject_once'],
    ['allow_for_session', 'allow_always'],
    ['rejected', 'reject_once'],
    ['reject_always', 'reject_always'],
    ['disallow', 'reject_once'],
    ['deny_forever', 'reject_always'],
    ['abort', 'reject_once'],
  ])('%s is of the kind %s', (id, kind) => {
    expect(toPermissionOptions([{ id, name: 'Name' }])).toEqual([{ optionId: id, name: 'Name', kind }]);
  });
});

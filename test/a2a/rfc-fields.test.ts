import { describe, expect, test } from 'vitest';
import { shownWith } from '../../src/domain/turn.js';
import type { SessionEvent } from '../../src/domain/events.js';
import type { ApprovalDetails, FileDiff, ToolCall, ToolOutput } from '../../src/domain/tool-call.js';
import { confirmationSchema } from '../../src/dialects/shared/confirmation.js';
import { extensionUri } from '../../src/dialects/development-tool/extension.js';
import { contentOf, toStatusUpdate } from '../../src/dialects/development-tool/to-wire.js';
import { toRfcToolCall } from '../../src/dialects/development-tool/tool-call.js';
import { toStream } from '../../src/dialects/a2a/to-stream.js';
import { executeCommand, toWireCommands } from '../../src/server/endpoint/command-methods.js';
import { alice, openHub, prompt } from '../support/hub.js';
import { type ManualEngine, waitingShell } from '../support/manual-engine.js';

const base = { id: 'call-1', name: 'write_file', args: { path: 'a.txt', depth: { n: [1, null] } } } as const;
const diff: FileDiff = {
  fileName: 'a.txt',
  filePath: '/project/a.txt',
  oldContent: 'old',
  newContent: 'new',
  formatted: '-old\n+new',
};
const options = [{ id: 'proceed_once', name: 'Allow once', description: 'Only this time' }];

function wire(call: ToolCall): object {
  return toRfcToolCall(call);
}

const output = (given: ToolOutput): object => wire({ ...base, status: 'succeeded', output: given });
const asking = (details: ApprovalDetails): object =>
  wire({ ...base, status: 'waiting', approval: { options, details } });

const toolCalls: [string, object, object][] = [
  ['[004-ToolCall.tool_call_id]', wire({ ...base, status: 'pending' }), { tool_call_id: 'call-1' }],
  ['[004-ToolCall.tool_name]', wire({ ...base, status: 'pending' }), { tool_name: 'write_file' }],
  [
    '[004-ToolCall.description]',
    wire({ ...base, status: 'pending', description: 'Writes a file' }),
    { description: 'Writes a file' },
  ],
  ['[004-ToolCall.input_parameters]', wire({ ...base, status: 'pending' }), { input_parameters: base.args }],
  [
    '[004-ToolCall.live_content]',
    wire({ ...base, status: 'executing', liveOutput: 'line 1\nline 2' }),
    { live_content: 'line 1\nline 2' },
  ],
  ['[004-ToolCall.output]', output({ kind: 'text', text: 'done' }), { output: { text: 'done' } }],
  ['[004-ToolCall.error]', wire({ ...base, status: 'failed', error: { message: 'no' } }), { error: { message: 'no' } }],
  [
    '[004-ToolCall.confirmation_request]',
    asking({ kind: 'generic', description: 'Go?' }),
    { status: 'PENDING', confirmation_request: { options } },
  ],
  ['[004-ToolCallStatus.PENDING]', wire({ ...base, status: 'pending' }), { status: 'PENDING' }],
  ['[004-ToolCallStatus.EXECUTING]', wire({ ...base, status: 'executing' }), { status: 'EXECUTING' }],
  ['[004-ToolCallStatus.SUCCEEDED]', output({ kind: 'text', text: '' }), { status: 'SUCCEEDED' }],
  ['[004-ToolCallStatus.FAILED]', wire({ ...base, status: 'failed', error: { message: 'no' } }), { status: 'FAILED' }],
  ['[004-ToolCallStatus.CANCELLED]', wire({ ...base, status: 'cancelled' }), { status: 'CANCELLED' }],
  ['[004-ToolOutput.text]', output({ kind: 'text', text: 'done' }), { output: { text: 'done' } }],
  [
    '[004-ToolOutput.diff]',
    output({ kind: 'diff', diff }),
    {
      output: {
        diff: {
          file_name: 'a.txt',
          file_path: '/project/a.txt',
          old_content: 'old',
          new_content: 'new',
          formatted_diff: '-old\n+new',
        },
      },
    },
  ],
  [
    '[004-ToolOutput.structured_data]',
    output({ kind: 'data', data: { rows: [1, 2] } }),
    { output: { structured_data: { rows: [1, 2] } } },
  ],
  [
    '[004-ErrorDetails.message] [004-ErrorDetails.type] [004-ErrorDetails.status_code]',
    wire({ ...base, status: 'failed', error: { message: 'no', type: 'mcp_tool_error', statusCode: 503 } }),
    { error: { message: 'no', type: 'mcp_tool_error', status_code: 503 } },
  ],
  [
    '[004-ConfirmationOption.id] [004-ConfirmationOption.name] [004-ConfirmationOption.description]',
    asking({ kind: 'generic', description: 'Go?' }),
    { confirmation_request: { options: [{ id: 'proceed_once', name: 'Allow once', description: 'Only this time' }] } },
  ],
  [
    '[004-ExecuteDetails.command] [004-ExecuteDetails.working_directory]',
    asking({ kind: 'execute', command: 'ls', workingDirectory: '/work' }),
    { confirmation_request: { execute_details: { command: 'ls', working_directory: '/work' } } },
  ],
  [
    '[004-FileDiff] as file_edit_details, of a file that is there',
    asking({ kind: 'edit', diff }),
    {
      confirmation_request: {
        file_edit_details: {
          file_name: 'a.txt',
          file_path: '/project/a.txt',
          old_content: 'old',
          new_content: 'new',
          formatted_diff: '-old\n+new',
        },
      },
    },
  ],
  [
    '[004-McpDetails.server_name] [004-McpDetails.tool_name]',
    asking({ kind: 'mcp', serverName: 'files', toolName: 'read' }),
    { confirmation_request: { mcp_details: { server_name: 'files', tool_name: 'read' } } },
  ],
  [
    '[004-GenericDetails.description]',
    asking({ kind: 'generic', description: 'Go?' }),
    { confirmation_request: { generic_details: { description: 'Go?' } } },
  ],
];

test.each(toolCalls)('%s', (_id, given, expected) => {
  expect(given).toMatchObject(expected);
});

test('[004-FileDiff.old_content] is absent for a new file, and so are the other optional fields', () => {
  const { oldContent: _old, formatted: _formatted, ...fresh } = diff;
  expect(asking({ kind: 'edit', diff: fresh })).toMatchObject({
    confirmation_request: {
      file_edit_details: { file_name: 'a.txt', file_path: '/project/a.txt', new_content: 'new' },
    },
  });
  const details = JSON.stringify(asking({ kind: 'edit', diff: fresh }));
  expect(details).not.toMatch(/old_content|formatted_diff/);
  expect(Object.keys(wire({ ...base, status: 'pending' })).toSorted()).toEqual([
    'input_parameters',
    'status',
    'tool_call_id',
    'tool_name',
  ]);
});

const stamp = { seq: 3, at: '2026-01-01T00:00:00.000Z', sessionId: 's', turnId: 't' };

describe('[004-DevelopmentToolEvent]', () => {
  const kinds: [string, SessionEvent, string][] = [
    ['TOOL_CALL_UPDATE', { ...stamp, type: 'tool', call: { ...base, status: 'pending' } }, 'TOOL_CALL_UPDATE'],
    ['TEXT_CONTENT', { ...stamp, type: 'text', text: 'hello' }, 'TEXT_CONTENT'],
    ['STATE_CHANGE', { ...stamp, type: 'turn', state: 'working' }, 'STATE_CHANGE'],
    ['THOUGHT', { ...stamp, type: 'thought', subject: 's', description: 'd' }, 'THOUGHT'],
  ];
  const agent = { model: 'gemini', userTier: 'free-tier' };

  test.each(kinds)(
    '[004-DevelopmentToolEvent.kind] %s, [004-DevelopmentToolEvent.model], [004-DevelopmentToolEvent.user_tier]',
    (_name, event, kind) => {
      const metadata = { [extensionUri]: { kind, model: 'gemini', user_tier: 'free-tier' } };
      expect(toStatusUpdate(event, agent)).toMatchObject({ metadata });
      const streamOptions = { taskId: 't', contextId: 's', agent, isExtended: true, shown: shownWith() };
      const [update] = toStream(event, streamOptions, { hasAnswer: false, previous: undefined, waiting: [] });
      expect(update?.payload?.value).toMatchObject({ metadata });
    },
  );

  test('[004-DevelopmentToolEvent.error] on a failed turn', () => {
    const event = { ...stamp, type: 'turn', state: 'failed', error: 'quota' } as const;
    expect(toStatusUpdate(event, agent)).toMatchObject({
      status: { state: 'failed' },
      metadata: { [extensionUri]: { kind: 'STATE_CHANGE', error: 'quota' } },
    });
  });

  test('[004-AgentThought.subject] [004-AgentThought.description]', () => {
    const event = { ...stamp, type: 'thought', subject: 'Plan', description: 'Look first' } as const;
    expect(contentOf(event).data).toEqual({ subject: 'Plan', description: 'Look first' });
  });
});

describe('[004-ToolCallConfirmation]', () => {
  const read = (data: unknown): unknown => confirmationSchema(data)?.parse(data);

  test('[004-ToolCallConfirmation.tool_call_id] [004-ToolCallConfirmation.selected_option_id]', () => {
    expect(read({ tool_call_id: 'call-1', selected_option_id: 'cancel' })).toEqual({
      callId: 'call-1',
      answer: { optionId: 'cancel' },
    });
  });

  test.each([
    ['as the oneof of the schema', { file_details: { new_content: 'mine' } }],
    ['in an object of its own', { modified_details: { file_details: { new_content: 'mine' } } }],
  ])('[004-ModifiedFileDetails.new_content] %s', (_name, details) => {
    expect(read({ tool_call_id: 'call-1', selected_option_id: 'proceed_once', ...details })).toEqual({
      callId: 'call-1',
      answer: { optionId: 'proceed_once', newContent: 'mine' },
    });
  });
});

describe('[004-3.3] methods', () => {
  test('[004-GetAllSlashCommandsResponse.commands] [004-SlashCommand] [004-SlashCommandArgument] name, description, is_required', () => {
    const { session, engine } = openHub();
    const fact = { name: 'fact', description: 'What to remember', isRequired: true };
    const add = { name: 'add', description: 'Adds', arguments: [fact], subCommands: [] };
    engine.commands = () => [{ name: 'memory', description: 'Memory', arguments: [], subCommands: [add] }];
    expect(toWireCommands(session.commands)).toEqual({
      commands: [
        {
          name: 'memory',
          description: 'Memory',
          arguments: [],
          sub_commands: [
            {
              name: 'add',
              description: 'Adds',
              arguments: [{ name: 'fact', description: 'What to remember', is_required: true }],
              sub_commands: [],
            },
          ],
        },
      ],
    });
  });

  test('[004-ExecuteSlashCommandRequest.command_path] [004-ExecuteSlashCommandRequest.args] make the command', async () => {
    const { session, engine } = openHub();
    engine.refusalOfCommand = () => undefined;
    await executeCommand(session, { command_path: ['memory', 'add'], args: 'the sky is blue' }, alice);
    expect(engine.started[0]).toMatchObject({ kind: 'command', text: '/memory add the sky is blue' });
  });

  test('[004-CommandExecutionStatus.STARTED] [004-ExecuteSlashCommandResponse.execution_id] names the turn', async () => {
    const { session, events } = openHub();
    const answer = await executeCommand(session, { command_path: ['stats'] }, alice);
    expect(answer).toEqual({ execution_id: events[0]?.turnId, status: 'STARTED', message: '' });
  });

  test.each([
    ['with the first thing the command says', (engine: ManualEngine) => engine.say('one')],
    ['when it is over', (engine: ManualEngine) => engine.end()],
  ])('the reply comes %s, not later', async (_when, act) => {
    const { session, engine } = openHub();
    let status: unknown;
    void executeCommand(session, { command_path: ['stats'] }, alice).then((reply) => ({ status } = reply));
    await new Promise(setImmediate);
    expect(status).toBeUndefined();
    act(engine);
    await new Promise(setImmediate);
    expect(status).toBe('STARTED');
  });

  test('a command that has to wait its turn is answered at once', async () => {
    const { session } = openHub();
    session.submit(prompt('hello'));
    let status: unknown;
    void executeCommand(session, { command_path: ['stats'] }, alice).then((reply) => ({ status } = reply));
    await new Promise(setImmediate);
    expect(status).toBe('STARTED');
  });

  test('[004-CommandExecutionStatus.FAILED_TO_START] [004-ExecuteSlashCommandResponse.message] says why', async () => {
    const { session, engine } = openHub();
    expect(await executeCommand(session, { command_path: ['quit'] }, alice)).toEqual({
      execution_id: '',
      status: 'FAILED_TO_START',
      message: '/quit cannot be run from here: it ends the program',
    });
    expect(engine.started).toEqual([]);
  });

  test.each([
    ['[004-CommandExecutionStatus.AWAITING_SHELL_CONFIRMATION]', 'shell_expansion', 'AWAITING_SHELL_CONFIRMATION'],
    [
      '[004-CommandExecutionStatus.AWAITING_ACTION_CONFIRMATION]',
      'command_confirmation',
      'AWAITING_ACTION_CONFIRMATION',
    ],
  ])('%s', async (_id, name, status) => {
    const { session, engine } = openHub();
    const answering = executeCommand(session, { command_path: ['stats'] }, alice);
    engine.report({ type: 'tool', call: { ...waitingShell(), name } });
    expect(await answering).toMatchObject({ status });
  });
});

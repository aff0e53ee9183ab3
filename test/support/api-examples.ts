import type { EventBody } from '../../src/domain/events.js';
import type { Events, Notices } from '../../src/dialects/endpoint/events.js';
import { toEndpoint } from '../../src/dialects/endpoint/to-wire.js';
import { toClients, toResyncRequired, toSnapshot } from '../../src/dialects/endpoint/snapshot.js';
import { waitingShell } from './manual-engine.js';

const event = (body: EventBody) =>
  toEndpoint({ ...body, seq: 7, at: '2026-01-01T00:00:00.000Z', sessionId: 'task-1', turnId: 'turn-1' });
const client = { surface: 'a2a', client: 'ada' } as const;
const result = { kind: 'data', data: { model: 'gemini-2.5-pro' } } as const;
const answer = { tool_call_id: 'call-1', selected_option_id: 'proceed_once' };

/** Requests that the schemas accept, by method. */
const requests = {
  'message/stream': { message: { messageId: 'm-1', content: { text: 'List the files' } } },
  'message/send': { message: { content: { data: { kind: 'TOOL_CALL_CONFIRMATION', ...answer } } } },
  'tasks/get': { historyLength: 10 },
  'tasks/cancel': { id: 'turn-1' },
  'tasks/resubscribe': { after: 42 },
  'commands/get': {},
  'command/execute': { command_path: ['memory', 'show'] },
};

/** Events as the translator really makes them. A kind without an example does not compile. */
export const eventExamples: Readonly<Record<keyof Events, Events[keyof Events]>> = {
  USER_MESSAGE: event({ type: 'prompt', text: 'List the files', origin: client, messageId: 'm-1' }),
  STATE_CHANGE: event({ type: 'turn', state: 'completed' }),
  TEXT_CONTENT: event({ type: 'text', text: 'There are ' }),
  THOUGHT: event({ type: 'thought', subject: 'Choosing a tool', description: 'A listing is enough.' }),
  TOOL_CALL_UPDATE: event({ type: 'tool', call: waitingShell() }),
  CITATION: event({ type: 'citation', text: 'https://a2a-protocol.org' }),
  USAGE: event({ type: 'usage', usage: { inputTokens: 1200, outputTokens: 80, totalTokens: 1280 } }),
  SETTINGS: event({ type: 'settings', model: 'gemini-2.5-pro', approvalMode: 'default' }),
  CONSOLE_LOG: event({ type: 'log', level: 'warn', text: 'The model did not answer; try 2 in 5 s.' }),
  ERROR: event({ type: 'error', message: 'the connection to the model was lost' }),
  ARTIFACT: event({ type: 'artifact', artifact: { id: 'command-model', name: 'model', parts: [result] } }),
};

const here = { name: 'robot', surface: 'a2a', since: '2026-11-16T18:00:00.000Z' } as const;

const notices: Notices = {
  SNAPSHOT: toSnapshot(
    'task-1',
    {
      state: 'working',
      pending: [],
      model: 'gemini-2.5-pro',
      seq: 42,
      title: 'List the files',
      workspace: '/home/ada/project',
      approvalMode: 'default',
      queue: [{ turnId: 'turn-2', text: 'Run the tests', origin: client, position: 1 }],
      usage: { calls: 1, inputTokens: 1200, outputTokens: 80, totalTokens: 1280 },
    },
    { clients: [here] },
  ),
  CLIENTS: toClients('task-1', { clients: [here, { ...here, name: 'robot 2', surface: 'web' }] }),
  RESYNC_REQUIRED: toResyncRequired('task-1', 5001),
  ERROR_REPLY: { kind: 'ERROR', code: -32602, message: 'params not understood', data: { code: 'bad-request' } },
};

/** One example of each message of `/ws`. */
export const apiExamples: Readonly<Record<string, Record<string, unknown>>> = {
  ...requests,
  ...eventExamples,
  ...notices,
};

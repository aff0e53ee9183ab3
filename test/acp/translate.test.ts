import { expect, test } from 'vitest';
import type { EventBody } from '../../src/domain/events.js';
import { fromPermissionResponse } from '../../src/dialects/acp-v1/permission.js';
import { fromForm, toForm } from '../../src/dialects/acp/questions.js';
import type { View } from '../../src/dialects/acp/dialect.js';
import { emptyScene } from '../../src/dialects/acp/scene.js';
import { toAcpUpdates } from '../../src/dialects/acp-v1/to-updates.js';

const plain: View = {
  hasTerminal: false,
  hasNotices: false,
  isOwn: false,
  knowsCall: false,
  printed: '',
  statusBefore: undefined,
  choices: { modes: [], models: [] },
  model: 'gemini-2.5-pro',
  scene: emptyScene,
};
const chunk = (text: string) => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
const usage: EventBody = { type: 'usage', usage: { inputTokens: 7, totalTokens: 9 } };
const todos = [
  { description: 'read', status: 'completed' },
  { description: 'write', status: 'in_progress' },
  { description: 'dropped', status: 'cancelled' },
];
const artifact = (part: object): EventBody =>
  ({ type: 'artifact', artifact: { id: 'a', name: 'a', parts: [part] } }) as EventBody;

test.each<[string, EventBody, Partial<View>, object[]]>([
  ['text', { type: 'text', text: 'hi' }, {}, [chunk('hi')]],
  ['a citation', { type: 'citation', text: 'source' }, {}, [chunk('source')]],
  ['an own prompt', { type: 'prompt', text: 'mine', origin: { surface: 'acp' } }, { isOwn: true }, []],
  ['a prompt that waits', { type: 'prompt', text: 'later', origin: { surface: 'acp' }, queued: 1 }, {}, []],
  ['a log line', { type: 'log', level: 'warn', text: 'slow' }, {}, []],
  [
    'a log line, for a client with notices',
    { type: 'log', level: 'warn', text: 'slow' },
    { hasNotices: true },
    [{ sessionUpdate: 'notice', severity: 'warning', title: 'slow' }],
  ],
  ['an error', { type: 'error', message: 'quota' }, {}, [chunk('quota')]],
  [
    'an error, for a client with notices',
    { type: 'error', message: 'quota' },
    { hasNotices: true },
    [{ sessionUpdate: 'notice', severity: 'error', title: 'quota' }],
  ],
  [
    'usage of a model that we know',
    usage,
    {},
    [
      {
        sessionUpdate: 'usage_update',
        used: 9,
        size: 1_048_576,
        _meta: { cosession: { usage: { totalTokens: 9, inputTokens: 7 } } },
      },
    ],
  ],
  ['usage of a model that we do not know', usage, { model: 'gpt-oss' }, []],
  ['usage without a sum', { type: 'usage', usage: { inputTokens: 7 } }, {}, []],
  ['an artifact of data', artifact({ kind: 'data', data: { a: 1 } }), {}, [chunk('```json\n{\n  "a": 1\n}\n```')]],
  [
    'an artifact elsewhere',
    artifact({ kind: 'link', name: 'log', mediaType: 'text/plain', url: 'https://example.com/log' }),
    {},
    [
      {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'resource_link', name: 'log', uri: 'https://example.com/log', mimeType: 'text/plain' },
      },
    ],
  ],
  [
    'a file',
    artifact({ kind: 'file', name: 'a b.png', mediaType: 'image/png', base64: 'AA==' }),
    {},
    [
      {
        sessionUpdate: 'agent_message_chunk',
        content: {
          type: 'resource',
          resource: { uri: 'artifact:a%20b.png', mimeType: 'image/png', blob: 'AA==' },
        },
      },
    ],
  ],
  [
    'a list of things to do',
    {
      type: 'tool',
      call: {
        id: '1',
        name: 'write_todos',
        args: { todos },
        status: 'succeeded',
        output: { kind: 'text', text: 'ok' },
      },
    },
    { knowsCall: true },
    [
      expect.objectContaining({ sessionUpdate: 'tool_call_update', status: 'completed' }),
      {
        sessionUpdate: 'plan',
        entries: [
          { content: 'read', priority: 'medium', status: 'completed' },
          { content: 'write', priority: 'medium', status: 'in_progress' },
        ],
      },
    ],
  ],
])('%s', (_, body, view, expected) => {
  const event = { ...body, seq: 1, at: '', sessionId: 's' };
  expect(toAcpUpdates(event, { ...plain, ...view })).toEqual(expected);
});

test.each<[string, Parameters<typeof fromPermissionResponse>[0], object | undefined]>([
  ['a choice', { outcome: { outcome: 'selected', optionId: 'cancel' } }, { optionId: 'cancel' }],
  ['no choice', { outcome: { outcome: 'cancelled' } }, undefined],
  [
    'a choice with more',
    { outcome: { outcome: 'selected', optionId: 'a' }, _meta: { cosession: { feedback: 'shorter' } } },
    { optionId: 'a', feedback: 'shorter' },
  ],
  [
    'a choice with something strange',
    { outcome: { outcome: 'selected', optionId: 'a' }, _meta: { cosession: { answers: 7 } } },
    { optionId: 'a' },
  ],
])('an answer: %s', (_, response, expected) => expect(fromPermissionResponse(response)).toEqual(expected));

test('questions are fields of a form, and the form is answers', () => {
  const options = [{ label: 'red', description: 'warm' }, { label: 'blue' }];
  const form = toForm([
    { question: 'Which?', header: 'Colour', options },
    { question: 'All of?', multiSelect: true, options },
    { question: 'Sure?', type: 'yesno' },
    { question: 'Name?', type: 'text' },
  ]);
  expect(form).toMatchObject({
    required: ['0', '1', '2', '3'],
    properties: {
      0: { type: 'string', title: 'Colour', oneOf: [{ const: 'red', description: 'warm' }, { const: 'blue' }] },
      1: { type: 'array', items: { anyOf: [{ const: 'red' }, { const: 'blue' }] } },
      2: { type: 'string', oneOf: [{ const: 'Yes' }, { const: 'No' }] },
      3: { type: 'string', description: 'Name?' },
    },
  });
  const content = { 0: 'red', 1: ['red', 'blue'], 2: 'Yes' };
  expect(fromForm({ action: 'accept', content })).toEqual({
    optionId: 'proceed_once',
    answers: { 0: 'red', 1: 'red, blue', 2: 'Yes' },
  });
  expect(fromForm({ action: 'decline' })).toEqual({ optionId: 'cancel' });
  expect(fromForm({ action: 'cancel' })).toBeUndefined();
});

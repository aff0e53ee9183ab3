import { describe, expect, test } from 'vitest';
import { toCommands } from '../../../src/engine/acp/agent-commands.js';
import { readUpdate } from '../../../src/engine/acp/agent/agent-messages.js';
import { failureText } from '../../../src/engine/acp/failure-text.js';
import { Thoughts } from '../../../src/engine/acp/thoughts.js';
import { translateOptions } from '../../../src/engine/acp/translate-options.js';
import { planOf } from '../../../src/dialects/acp/plan.js';
import { AgentPlan } from '../../../src/engine/acp/agent-plan.js';
import { translateUpdate, usageOf } from '../../../src/engine/acp/translate-update.js';
import { endOf } from '../../../src/engine/acp/turn-end.js';

describe('options', () => {
  const option = (optionId: string, kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always') => ({
    optionId,
    name: optionId.toUpperCase(),
    kind,
  });

  test('yes once and no have the ids that every client knows; the others keep theirs', () => {
    const offered = translateOptions([
      option('always', 'allow_always'),
      option('once', 'allow_once'),
      option('reject', 'reject_once'),
      option('never', 'reject_always'),
    ]);
    expect(offered.options).toEqual([
      { id: 'always', name: 'ALWAYS' },
      { id: 'proceed_once', name: 'ONCE' },
      { id: 'cancel', name: 'REJECT' },
      { id: 'never', name: 'NEVER' },
    ]);
    expect(offered.refusals).toEqual(['never']);
    expect(['always', 'proceed_once', 'cancel', 'never'].map((id) => offered.agentIdOf(id))).toEqual([
      'always',
      'once',
      'reject',
      'never',
    ]);
  });

  test('a name that is an id is told in words', () => {
    const offered = translateOptions([{ optionId: 'x', name: 'allow_once', kind: 'allow_once' }]);
    expect(offered.options[0]).toEqual({ id: 'proceed_once', name: 'Allow once' });
  });

  test('an agent that offers no no gets one, which it is told as cancelled', () => {
    const offered = translateOptions([option('ok', 'allow_once')]);
    expect(offered.options.map(({ id }) => id)).toEqual(['proceed_once', 'cancel']);
    expect(offered.agentIdOf('cancel')).toBeUndefined();
  });

  test('nothing wider than once is ever called proceed_once', () => {
    const offered = translateOptions([option('proceed_once', 'allow_always'), option('cancel', 'allow_always')]);
    expect(offered.options.map(({ id }) => id)).toEqual(['proceed_once_1', 'cancel_2', 'cancel']);
    expect(offered.agentIdOf('cancel_2')).toBe('cancel');
  });
});

test('thoughts are published by the paragraph, and before what follows them', () => {
  const thoughts = new Thoughts();
  expect(thoughts.add('I ')).toEqual([]);
  expect(thoughts.add('think.\n\nThere')).toEqual([{ type: 'thought', subject: 'Thinking', description: 'I think.' }]);
  expect(thoughts.add('fore.')).toEqual([]);
  expect(thoughts.flush()).toEqual([{ type: 'thought', subject: 'Thinking', description: 'Therefore.' }]);
  expect(thoughts.flush()).toEqual([]);
});

test('a thought of Gemini has its own subject, and each is whole', () => {
  const thoughts = new Thoughts();
  thoughts.add('**Planning**\nfirst');
  expect(thoughts.add('**Doing**\nsecond')).toEqual([{ type: 'thought', subject: 'Planning', description: 'first' }]);
  expect(thoughts.flush()).toEqual([{ type: 'thought', subject: 'Doing', description: 'second' }]);
});

test('a flat list of commands becomes a tree', () => {
  const commands = toCommands([
    { name: 'memory', description: 'Manage memory' },
    { name: 'memory show', description: 'Show it' },
    { name: 'web', description: 'Search', input: { hint: 'what to look for' } },
  ]);
  expect(commands).toEqual([
    {
      name: 'memory',
      description: 'Manage memory',
      arguments: [],
      subCommands: [{ name: 'show', description: 'Show it', arguments: [], subCommands: [] }],
    },
    {
      name: 'web',
      description: 'Search',
      arguments: [{ name: 'input', description: 'what to look for', isRequired: false }],
      subCommands: [],
    },
  ]);
});

describe('updates', () => {
  const chunk = (content: object, more: object = {}) => ({ sessionUpdate: 'agent_message_chunk', content, ...more });
  const plan = [
    { content: 'look', status: 'completed', priority: 'high' },
    { content: 'write', status: 'in_progress' },
    { content: 'test', status: 'pending' },
  ];

  test.each<[string, object, object | undefined]>([
    ['text', chunk({ type: 'text', text: 'hi' }), { type: 'text', text: 'hi' }],
    ['an empty chunk is nothing', chunk({ type: 'text', text: '' }), undefined],
    [
      'tokens beside an empty chunk',
      chunk({ type: 'text', text: '' }, { _meta: { usage: { inputTokens: 10, totalTokens: 15, thoughtTokens: 0 } } }),
      { type: 'usage', usage: { inputTokens: 10, totalTokens: 15, thoughtTokens: 0 } },
    ],
    [
      'a picture',
      chunk({ type: 'image', data: 'AAAA', mimeType: 'image/png' }),
      {
        type: 'artifact',
        artifact: { name: 'image', parts: [{ kind: 'file', name: 'image', mediaType: 'image/png', base64: 'AAAA' }] },
      },
    ],
    [
      'a link',
      chunk({ type: 'resource_link', name: 'a.txt', uri: 'file:///a.txt' }),
      {
        artifact: {
          name: 'a.txt',
          parts: [{ kind: 'link', name: 'a.txt', mediaType: 'application/octet-stream', url: 'file:///a.txt' }],
        },
      },
    ],
    ['tokens in use', { sessionUpdate: 'usage_update', used: 7, size: 9 }, { usage: { totalTokens: 7 } }],
    [
      'a notice',
      { sessionUpdate: 'notice', severity: 'warning', title: 'Slow', description: 'very' },
      { type: 'log', level: 'warn', text: 'Slow: very' },
    ],
  ])('%s', (_name, sent, event) => {
    const update = readUpdate({ sessionId: 's', update: sent });
    if (!update || !isSaid(update)) throw new Error(`not read: ${JSON.stringify(sent)}`);
    const translated = translateUpdate(update);
    if (event === undefined) expect(translated).toBeUndefined();
    else expect(translated).toMatchObject(event);
  });

  test('a plan is a call that writes it, once for each plan', () => {
    const update = readUpdate({ sessionId: 's', update: { sessionUpdate: 'plan', entries: plan } });
    if (update?.sessionUpdate !== 'plan') throw new Error('not read');
    let id = 0;
    const agentPlan = new AgentPlan(() => `plan-${++id}`);
    const calls = agentPlan.toCalls(update.entries);
    expect(calls.map(({ status }) => status)).toEqual(['executing', 'succeeded']);
    expect(calls[1]).toMatchObject({ id: 'plan-1', output: { text: '✓ look\n▸ write\n· test' } });
    expect(calls[1] && planOf(calls[1])?.map(({ content, status }) => `${status} ${content}`)).toEqual([
      'completed look',
      'in_progress write',
      'pending test',
    ]);
    expect(agentPlan.toCalls(update.entries)).toEqual([]);
    expect(agentPlan.toCalls([])[0]?.id).toBe('plan-2');
  });

  test('what no release has sent so far is dropped', () => {
    expect(readUpdate({ sessionId: 's', update: { sessionUpdate: 'telepathy' } })).toBeUndefined();
    expect(readUpdate(undefined)).toBeUndefined();
  });

  test('Gemini tells its mode as text', () => {
    expect(readUpdate({ update: chunk({ type: 'text', text: '[MODE_UPDATE] yolo' }) })).toEqual({
      sessionUpdate: 'current_mode_update',
      currentModeId: 'yolo',
    });
  });
});

test('tokens of a turn, in the protocol or where Gemini puts them', () => {
  expect(usageOf({ stopReason: 'end_turn', usage: { inputTokens: 1, cachedReadTokens: 2 } })).toEqual({
    inputTokens: 1,
    cachedTokens: 2,
  });
  const quota = { token_count: { input_tokens: 3, output_tokens: 4 } };
  expect(usageOf({ stopReason: 'end_turn', _meta: { quota } })).toEqual({ inputTokens: 3, outputTokens: 4 });
  expect(usageOf({ stopReason: 'end_turn' })).toBeUndefined();
});

test.each([
  ['end_turn', {}, 'completed'],
  ['cancelled', {}, 'canceled'],
  ['cancelled', { wasRefused: true }, 'completed'],
  ['cancelled', { wasRefused: true, isCanceling: true }, 'canceled'],
  ['end_turn', { isCanceling: true }, 'canceled'],
  ['refusal', {}, 'failed'],
  ['max_tokens', {}, 'failed'],
  ['max_turn_requests', {}, 'failed'],
])('%s, %j → %s', (reason, course, state) => {
  expect(endOf(reason, { isCanceling: false, wasRefused: false, ...course }).state).toBe(state);
});

test('an error tells its details and what to do', () => {
  const error = Object.assign(new Error('Internal error'), { code: -32_603, data: { details: 'quota exceeded' } });
  expect(failureText(error)).toBe('Internal error: quota exceeded');
  expect(failureText(Object.assign(new Error('Authentication required'), { code: -32_000 }))).toContain('log in');
});

type Update = NonNullable<ReturnType<typeof readUpdate>>;

function isSaid(update: Update): update is Parameters<typeof translateUpdate>[0] {
  return ['agent_message_chunk', 'usage_update', 'notice'].includes(update.sessionUpdate);
}

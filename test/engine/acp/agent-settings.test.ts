import { expect, test } from 'vitest';
import { openedSession } from '../../../src/engine/acp/agent/agent-messages.js';
import { AgentSettings } from '../../../src/engine/acp/agent-settings.js';
import type { EngineEvent } from '../../../src/engine/engine.js';

function settings(mayAutoExecute = false) {
  const told: EngineEvent[] = [];
  const known = new AgentSettings({
    opened: () => Promise.reject(new Error('there is no agent')),
    mayAutoExecute,
    chosen: {},
    onChosen: () => {},
    report: (event) => told.push(event),
  });
  return { known, told };
}

const named = (...ids: readonly string[]) => ids.map((id) => ({ id, name: id }));
const values = (...ids: readonly string[]) => ids.map((value) => ({ value, name: value }));

test('model and mode are told when they change, however the agent tells them', () => {
  const { known, told } = settings();
  const modes = { currentModeId: 'default', availableModes: named('default', 'plan') };
  const models = { currentModelId: 'big', availableModels: [{ modelId: 'big', name: 'Big', description: null }] };
  known.update(openedSession.parse({ sessionId: 's', modes, models }));
  known.update({ modes: { current: 'default', choices: undefined } });
  known.update({ modes: { current: 'plan', choices: undefined } });
  expect(told).toEqual([
    { type: 'settings', model: 'big', approvalMode: 'default' },
    { type: 'settings', model: 'big', approvalMode: 'plan' },
  ]);
  expect(known.choices()).toMatchObject({ modes: named('default', 'plan'), models: [{ id: 'big', name: 'Big' }] });
});

test('config options come first: their values may be in groups, and what is not a choice of text is left out', () => {
  const { known, told } = settings();
  const configOptions = [
    {
      id: 'model',
      category: 'model',
      type: 'select',
      currentValue: 'a',
      options: [{ group: 'g', name: 'G', options: values('a', 'b') }],
    },
    { id: 'fast', category: 'mode', type: 'boolean', currentValue: true },
  ];
  known.update(openedSession.parse({ sessionId: 's', configOptions, models: { currentModelId: 'a[high]' } }));
  expect(told).toEqual([{ type: 'settings', model: 'a' }]);
  expect(known.choices()).toEqual({ modes: [], models: named('a', 'b'), others: [] });
});

test.each([
  ['Gemini', ['default', 'autoEdit', 'yolo', 'plan'], ['default', 'plan']],
  [
    'Claude',
    ['auto', 'default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'],
    ['default', 'plan', 'dontAsk'],
  ],
  ['Codex', ['read-only', 'workspace-write', 'agent', 'agent-full-access'], ['read-only']],
  ['goose', ['auto', 'approve', 'smart_approve', 'chat'], ['approve', 'chat']],
  ['an agent we do not know', ['default', 'turbo'], ['default']],
])('%s: modes that run tools unasked are only offered where the server allows it', (_agent, all, offered) => {
  for (const [mayAutoExecute, expected] of [
    [false, offered],
    [true, all],
  ] as const) {
    const { known } = settings(mayAutoExecute);
    known.update({ modes: { current: 'default', choices: named(...all) } });
    expect(known.choices().modes).toEqual(named(...expected));
  }
});

test('of the other options only how long it thinks is offered, unless the server allows more', () => {
  const option = (id: string, currentValue: string, category?: string) => ({
    id,
    name: id,
    category,
    currentValue,
    options: values('low', 'high'),
  });
  const session = (effort: string) => ({
    models: { currentModelId: 'm' },
    configOptions: [option('effort', effort, 'thought_level'), option('provider', 'low')],
  });
  for (const [mayAutoExecute, offered] of [
    [false, ['effort high']],
    [true, ['effort high', 'provider low']],
  ] as const) {
    const { known, told } = settings(mayAutoExecute);
    known.update(openedSession.parse(session('low')));
    known.update(openedSession.parse(session('high')));
    expect(told).toHaveLength(2);
    expect(known.choices().others?.map(({ id, current }) => `${id} ${current}`)).toEqual(offered);
  }
});

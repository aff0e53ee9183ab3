import { expect, test } from 'vitest';
import type { EngineEvent } from '../../src/engine/engine.js';
import type { CoreConfirmation, CoreToolCall } from '../../src/engine/gemini/core-types.js';
import { ApprovalBridge } from '../../src/engine/live/approval-bridge.js';
import { Terminal } from '../../src/engine/live/terminal.js';
import { ManualBus } from '../support/manual-bus.js';

const exec: CoreConfirmation = { type: 'exec', command: 'ls' };

function asking(confirmationDetails: CoreConfirmation = exec): CoreToolCall {
  const request = { callId: 'c1', name: 'run_shell_command', args: {} };
  return { status: 'awaiting_approval', correlationId: 'q1', request, confirmationDetails };
}

function bridge({ grant = true, throws = false } = {}) {
  const bus = new ManualBus();
  const events: EngineEvent[] = [];
  const errors: unknown[] = [];
  const claims: string[] = [];
  const host = {
    report: (event: EngineEvent) => void events.push(event),
    tryAnswer: (callId: string, optionId: string) => {
      if (throws) throw new Error('our mistake');
      claims.push(`${callId} ${optionId}`);
      return grant;
    },
    stored: async () => {},
  };
  const onError = (error: unknown): void => void errors.push(error);
  const built = new ApprovalBridge({ terminal: new Terminal({ isPinned: true }), bus, host: () => host, onError });
  built.attach();
  return { bus, built, events, errors, claims };
}

const click = {
  type: 'tool-confirmation-response',
  correlationId: 'q1',
  confirmed: true,
  requiresUserConfirmation: false,
};

test('a click in the terminal passes when the hub grants it, and is stopped when it does not', async () => {
  const winner = bridge();
  winner.bus.announce(asking());
  await winner.bus.publish({ ...click, outcome: 'proceed_always' });
  expect([winner.claims, winner.bus.passed.length]).toEqual([['c1 proceed_always'], 1]);

  const loser = bridge({ grant: false });
  loser.bus.announce(asking());
  await loser.bus.publish(click);
  expect([loser.claims, loser.bus.passed]).toEqual([['c1 proceed_once'], []]);
});

test('what is no answer to one of our questions passes untouched', async () => {
  const { bus, claims } = bridge({ grant: false });
  bus.announce(asking());
  const others = [
    { type: 'update-policy' },
    { ...click, correlationId: 'other' },
    { ...click, requiresUserConfirmation: true },
  ];
  for (const message of others) await bus.publish(message);
  expect(bus.passed).toEqual(others);
  expect(claims).toEqual([]);
});

test('an internal error lets the click through', async () => {
  const { bus, errors } = bridge({ throws: true });
  bus.announce(asking());
  await bus.publish(click);
  expect([bus.passed.length, errors.length]).toEqual([1, 1]);
});

test('repeated announcements are reported once', () => {
  const { bus, events } = bridge();
  const call = asking();
  bus.announce(call);
  bus.announce(call);
  expect(events).toHaveLength(1);
});

const edit: CoreConfirmation = {
  type: 'edit',
  fileName: 'f',
  filePath: '/f',
  fileDiff: '',
  originalContent: '',
  newContent: 'x',
};
const plan: CoreConfirmation = { type: 'exit_plan_mode', planPath: '/p.md' };
const ask: CoreConfirmation = { type: 'ask_user', questions: [{ question: 'Which?' }] };

test.each([
  ['yes', exec, { optionId: 'proceed_once' }, { confirmed: true, outcome: 'proceed_once' }],
  ['no', exec, { optionId: 'cancel' }, { confirmed: false, outcome: 'cancel' }],
  [
    'a changed file',
    edit,
    { optionId: 'proceed_once', newContent: 'y' },
    { confirmed: true, outcome: 'proceed_once', payload: { newContent: 'y' } },
  ],
  ['no, with a changed file', edit, { optionId: 'cancel', newContent: 'y' }, { confirmed: false, outcome: 'cancel' }],
  [
    'answers',
    ask,
    { optionId: 'proceed_once', answers: { '0': 'A' } },
    { outcome: 'proceed_once', payload: { answers: { '0': 'A' } } },
  ],
  ['a plan accepted', plan, { optionId: 'proceed_once' }, { payload: { approved: true, approvalMode: 'default' } }],
  [
    'a plan with feedback',
    plan,
    { optionId: 'proceed_once', feedback: 'smaller' },
    { payload: { approved: false, feedback: 'smaller' } },
  ],
])(
  '%s goes on the bus in the form of the CLI, after the tick of the question',
  async (_name, details, answer, expected) => {
    const { bus, built } = bridge();
    bus.announce(asking(details));
    built.answer('c1', answer);
    expect(bus.passed).toEqual([]);
    await new Promise(setImmediate);
    expect(bus.passed).toMatchObject([{ type: 'tool-confirmation-response', correlationId: 'q1', ...expected }]);
  },
);

test('a shell command is starting from the answer until its process runs', () => {
  const { bus, built } = bridge();
  const states: [Partial<CoreToolCall>, boolean][] = [
    [{}, false],
    [{ outcome: 'proceed_once' }, true],
    [{ status: 'scheduled' }, true],
    [{ status: 'executing' }, true],
    [{ status: 'executing', pid: 42 }, false],
    [{ status: 'success' }, false],
  ];
  for (const [state, isStarting] of states) {
    bus.announce({ ...asking(), ...state });
    expect(built.isStartingProcess).toBe(isStarting);
  }
});

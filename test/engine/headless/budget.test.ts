import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, say } from '../../../src/demo/reply.js';
import { lastToolResult } from '../../../src/demo/script.js';
import type { Script } from '../../../src/demo/model-server.js';
import type { SessionEvent } from '../../../src/domain/events.js';
import { Budget, type BudgetLimits } from '../../../src/engine/headless/budget.js';
import { headlessWorld } from '../../support/headless.js';
import { prompt } from '../../support/hub.js';
import { until } from '../../support/until.js';

/** `turn`, `call` and a number of tokens, in the order they come. */
type Use = 'turn' | 'call' | number;

const table: readonly [name: string, limits: BudgetLimits, uses: readonly Use[], exhausted: string | undefined][] = [
  ['without limits all is allowed', {}, ['turn', 'call', 1e9, 'turn'], undefined],
  ['the last turn', { turnsPerTask: 2 }, ['turn', 'turn'], undefined],
  ['one turn too many', { turnsPerTask: 2 }, ['turn', 'turn', 'turn'], 'the task has used its 2 turns'],
  ['tokens left', { tokensPerTask: 100 }, ['turn', 99], undefined],
  ['all tokens used', { tokensPerTask: 100 }, ['turn', 60, 60], 'the task has used 120 of its 100 tokens'],
  [
    'tokens count over turns',
    { tokensPerTask: 100 },
    ['turn', 60, 'turn', 60],
    'the task has used 120 of its 100 tokens',
  ],
  ['calls left', { callsPerTurn: 2 }, ['turn', 'call'], undefined],
  [
    'all calls used',
    { callsPerTurn: 2 },
    ['turn', 'call', 'call'],
    'the turn has called the model 2 times, which is its limit',
  ],
  ['a new turn has new calls', { callsPerTurn: 2 }, ['turn', 'call', 'call', 'turn', 'call'], undefined],
  ['nothing is allowed', { tokensPerTask: 0 }, ['turn'], 'the task has used 0 of its 0 tokens'],
];

test.each(table)('%s', (_name, limits, uses, exhausted) => {
  const budget = new Budget(limits);
  for (const use of uses) {
    if (use === 'turn') budget.startTurn();
    else if (use === 'call') budget.startCall();
    else budget.spend(use);
  }
  expect(budget.exhausted).toBe(exhausted);
});

type World = Awaited<ReturnType<typeof headlessWorld>>;

/** Says something or calls a tool, as it is asked. */
const script: Script = (request) => {
  const asked = request.contents.at(-1)?.parts.at(-1)?.text;
  if (asked === 'look' && !lastToolResult(request)) return { chunks: [[call('list_directory', { dir_path: '.' })]] };
  return { chunks: [[say('Hello')]] };
};

const endsOf = (events: readonly SessionEvent[]) =>
  events.filter((event) => event.type === 'turn' && ['completed', 'failed', 'canceled'].includes(event.state));

describe('in a session', () => {
  let world: World;
  beforeAll(async () => {
    world = await headlessWorld({ script, limits: { turnsPerTask: 2, callsPerTurn: 1 } });
  });
  afterAll(() => world.model.close());

  test('the turn beyond the limit fails and costs no request, also when the task was unloaded in between', async () => {
    const first = world.open();
    first.session.submit(prompt('hello'));
    await until(() => endsOf(first.events).length === 1);
    await first.engine.dispose();

    const checkpoint = first.checkpoints.at(-1);
    if (!checkpoint) throw new Error('nothing was kept');
    const again = world.open({ checkpoint });
    again.session.submit(prompt('hello'));
    again.session.submit(prompt('hello'));
    await until(() => endsOf(again.events).length === 2);
    expect(endsOf(again.events)).toMatchObject([
      { state: 'completed' },
      { state: 'failed', error: 'the task has used its 2 turns' },
    ]);
    expect(world.model.requests).toHaveLength(2);
    await again.engine.dispose();
  });

  test('a turn that asks the model too often ends there; its tool has run', async () => {
    const { session, events, engine } = world.open();
    session.submit(prompt('look'));
    await until(() => endsOf(events).length === 1);
    expect(endsOf(events)).toMatchObject([
      { state: 'failed', error: expect.stringContaining('called the model 1 times') },
    ]);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'tool', call: expect.objectContaining({ status: 'succeeded' }) }),
    );
    await engine.dispose();
  });
});

import { join } from 'node:path';
import { fc } from '../support/properties.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionEvent, ShownEnd } from '../../src/domain/events.js';
import type { InterruptedTurn } from '../../src/engine/engine.js';
import { type Earlier, loadEvents } from '../../src/session/load-events.js';
import { Session } from '../../src/session/session.js';
import { toSummary } from '../../src/session/summary.js';
import { memoryStore } from '../../src/stores/memory.js';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite.js';
import type { EventStore, Store } from '../../src/stores/store.js';
import { ManualEngine, waitingShell } from '../support/manual-engine.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let store: Store;
beforeAll(async () => {
  store = await openSqliteStore(join(temporaryFolder(), 'tasks.db'));
});
afterAll(() => store.close());

const move = fc.oneof(
  fc.record({ do: fc.constant('prompt' as const), message: fc.nat(8) }),
  fc.record({ do: fc.constant('continue' as const), turn: fc.nat(5) }),
  fc.record({ do: fc.constant('take back' as const), turn: fc.nat(5) }),
  fc.record({ do: fc.constant('say' as const) }),
  fc.record({ do: fc.constant('choose' as const), model: fc.constantFrom('pro', 'flash') }),
  fc.record({ do: fc.constant('ask' as const), call: fc.nat(3) }),
  fc.record({ do: fc.constant('answer' as const), call: fc.nat(3), isYes: fc.boolean() }),
  fc.record({ do: fc.constant('succeed' as const), call: fc.nat(3) }),
  fc.record({ do: fc.constant('end' as const), how: fc.constantFrom('completed' as const, 'failed', 'canceled') }),
);
type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;
const moves = fc.array(move, { maxLength: 40 });

/** An engine that goes on with whatever was interrupted, and asks again what was open. */
class GoingOn extends ManualEngine {
  resume({ calls }: InterruptedTurn): boolean {
    this.isReady = false;
    for (const call of calls)
      if (call.status === 'waiting')
        this.report({ type: 'tool', call: { ...call, correlationId: `again-${call.id}` } });
    return true;
  }
}

type Life = { readonly engine: GoingOn; readonly session: Session };
type LifeOptions = {
  readonly id: string;
  readonly store: EventStore;
  readonly turnEnd: ShownEnd;
  readonly earlier?: Earlier;
};

function open(options: LifeOptions): Life {
  const engine = new GoingOn();
  const turnsIn = (events: readonly SessionEvent[]): number => new Set(events.map(({ turnId }) => turnId)).size;
  let turns = turnsIn((options.earlier?.events ?? []).filter(({ type }) => type === 'prompt'));
  const newTurnId = (): string => `turn-${turns++}`;
  return { engine, session: new Session({ ...options, engine, newTurnId, now: () => new Date(0) }) };
}

/** Or the one that ran last, which cannot be taken back either. */
function runningTurn(session: Session): string | undefined {
  const isRunning = (event: SessionEvent): boolean =>
    event.type === 'turn' && (event.state === 'working' || event.state === 'input-required');
  return session.eventsAfter(0).findLast(isRunning)?.turnId;
}

/** `number` makes questions differ from each other, not from life to life. */
function make({ engine, session }: Life, step: Move, number: number): void {
  const by = { surface: 'a2a', client: 'alice' } as const;
  const idOf = (call: number): string => `call-${call}`;
  const isRunning = !engine.isReady;
  try {
    switch (step.do) {
      case 'prompt':
        return void session.submit({ kind: 'prompt', text: 'hi', origin: by, messageId: `message-${step.message}` });
      case 'continue':
        return void session.submit({ kind: 'prompt', text: 'more', origin: by, turnId: `turn-${step.turn}` });
      case 'take back':
        // One that runs ends when its engine says so, which is another move.
        return runningTurn(session) === `turn-${step.turn}` ? undefined : session.cancel(by, `turn-${step.turn}`);
      case 'say':
        return engine.say('text');
      case 'choose':
        return engine.report({ type: 'settings', model: step.model, userTier: 'free' });
      case 'ask':
        return isRunning
          ? engine.report({ type: 'tool', call: waitingShell(idOf(step.call), `q-${number}`) })
          : undefined;
      case 'answer':
        return void session.answer(idOf(step.call), { optionId: step.isYes ? 'proceed_once' : 'cancel' }, by);
      case 'succeed': {
        const { id, name, args } = waitingShell(idOf(step.call));
        const output = { kind: 'text', text: 'done' } as const;
        return isRunning
          ? engine.report({ type: 'tool', call: { id, name, args, status: 'succeeded', output } })
          : undefined;
      }
      case 'end':
        return isRunning ? engine.end(step.how) : undefined;
    }
  } catch (error) {
    // Refusals are part of the game; anything else is not.
    expect(error).toHaveProperty('code');
  }
}

/** Everything about a session that anybody outside can see. */
function viewOf({ session }: Life) {
  const { snapshot, agent, queued, oldestSeq } = session;
  return { snapshot, agent, queued, oldestSeq, events: session.eventsAfter(0) };
}

/** What many more runs have found. */
const found: [Move[], Move[], ShownEnd, number][] = [
  // Questions are recalled in the order they were asked, also one that was asked again.
  [
    [
      { do: 'prompt', message: 0 },
      { do: 'ask', call: 1 },
      { do: 'answer', call: 1, isYes: true },
      { do: 'ask', call: 0 },
      { do: 'ask', call: 1 },
    ],
    [],
    'completed',
    99,
  ],
];

let sessions = 0;

test('a session recalled from the store is the one that was there, and goes on as that one would have', async () => {
  const turnEnds = fc.constantFrom<ShownEnd>('completed', 'input-required');
  await fc.assert(
    fc.asyncProperty(moves, moves, turnEnds, fc.nat(40), async (before, after, turnEnd, summarisedAt) => {
      const id = `session-${++sessions}`;
      const first = open({ id, store, turnEnd });
      for (const [index, step] of before.entries()) {
        make(first, step, index);
        const isSummarised = index === summarisedAt && first.session.lastSeq > 0;
        if (isSummarised) void store.saveSummary(id, toSummary(first.session.recall) ?? null);
      }
      await first.session.stored();

      const earlier = await loadEvents(store, id, turnEnd);
      const second = open({ id, store: memoryStore(), turnEnd, earlier });
      expect(viewOf(second)).toEqual(viewOf(first));

      for (const [index, step] of after.entries()) {
        for (const life of [first, second]) make(life, step, before.length + index);
        expect(viewOf(second)).toEqual(viewOf(first));
      }
      await first.session.stored();
    }),
    { numRuns: 500, examples: found },
  );
});

import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { SessionEvent } from '../../src/domain/events.js';
import { GatedEngine } from '../../src/engine/pool/gated-engine.js';
import { Session } from '../../src/session/session.js';
import { memoryStore } from '../../src/stores/memory.js';
import { FairGate } from '../../src/util/fair-gate.js';
import { alice, prompt } from '../support/hub.js';
import { earlierOf } from '../support/earlier.js';
import { ManualEngine, waitingShell } from '../support/manual-engine.js';

class ManualTask extends ManualEngine {
  resumed = 0;

  resume(): boolean {
    this.resumed++;
    return true;
  }

  async dispose(): Promise<void> {}
}

/** Tasks that share a gate with room for one. */
function narrow() {
  const gate = new FairGate({ width: 1, maxWaiting: 10 });
  const open = (id: string, earlier: readonly SessionEvent[] = []) => {
    const engine = new ManualTask();
    const gated = new GatedEngine({ open: () => engine, gate, owner: id, canResume: () => true });
    const session = new Session({ id, engine: gated, store: memoryStore(), earlier: earlierOf(earlier) });
    const events: SessionEvent[] = [];
    session.subscribe((event) => events.push(event));
    return { engine, gated, session, events };
  };
  return { gate, open };
}

const allow = { optionId: 'proceed_once' };

test('a turn that waits for an answer holds up nobody, and goes on when there is room', async () => {
  const { open, gate } = narrow();
  const [asking, other] = [open('asking'), open('other')];
  asking.session.submit(prompt('first'));
  asking.engine.report({ type: 'tool', call: waitingShell() });
  expect(gate.inside).toBe(0);
  other.session.submit(prompt('second'));
  expect(other.session.state).toBe('working');
  asking.session.answer('call-1', allow, alice);
  // Engines repeat a question for a while: it is not a new one.
  asking.engine.report({ type: 'tool', call: waitingShell() });
  await nextTick();
  expect(asking.engine.answered).toEqual([]);
  other.engine.end();
  await nextTick();
  expect(asking.engine.answered).toEqual([{ callId: 'call-1', answer: allow }]);
  expect(gate.inside).toBe(1);
  asking.engine.end();
  expect([asking.session.state, gate.inside]).toEqual(['completed', 0]);
});

test('a turn that is canceled while its answer waits for room leaves its place to the next prompt', async () => {
  const { open } = narrow();
  const [asking, other] = [open('asking'), open('other')];
  asking.session.submit(prompt('first'));
  asking.engine.report({ type: 'tool', call: waitingShell() });
  other.session.submit(prompt('second'));
  asking.session.answer('call-1', allow, alice);
  asking.session.submit(prompt('third'));
  asking.session.cancel(alice);
  asking.engine.end('canceled');
  expect(asking.engine.started).toHaveLength(1);
  other.engine.end();
  await nextTick();
  expect(asking.engine.started.map(({ text }) => text)).toEqual(['first', 'third']);
  expect(asking.engine.answered).toEqual([]);
});

test('a turn that is taken up waits for room with its questions open, and can be answered or canceled meanwhile', async () => {
  const { open, gate } = narrow();
  const first = open('one');
  first.session.submit(prompt('first'));
  first.engine.report({ type: 'tool', call: waitingShell() });
  const busy = open('busy');
  busy.session.submit(prompt('long'));

  const [answered, canceled] = [open('one', first.events), open('two', first.events)];
  expect(answered.session.state).toBe('input-required');
  answered.session.answer('call-1', allow, alice);
  canceled.session.cancel(alice);
  expect(canceled.session.state).toBe('canceled');
  expect([answered.engine.resumed, gate.waiting]).toEqual([0, 2]);
  busy.engine.end();
  await nextTick();
  expect([answered.engine.resumed, answered.engine.answered.length]).toEqual([1, 1]);
  answered.engine.end();
  await nextTick();
  expect([canceled.engine.resumed, gate.inside]).toEqual([0, 0]);
});

test('a question that is asked again after its answer is not open: its turn keeps its place and its time counts', async () => {
  const { open, gate } = narrow();
  const first = open('one');
  first.session.submit(prompt('first'));
  first.engine.report({ type: 'tool', call: waitingShell() });
  const again = open('one', first.events);
  await nextTick();
  expect([again.engine.resumed, gate.inside]).toEqual([1, 1]);
  again.session.answer('call-1', allow, alice);
  // From a process of its own the question was on its way when the answer was given.
  again.engine.report({ type: 'tool', call: waitingShell('call-1', 'asked again') });
  await nextTick();
  expect([again.engine.answered.length, again.session.state, gate.inside]).toEqual([1, 'working', 1]);
  again.engine.report({ type: 'tool', call: waitingShell('call-2') });
  expect([again.session.state, gate.inside]).toEqual(['input-required', 0]);
  again.engine.end();
});

test('a place that comes after the task was unloaded is given back', async () => {
  const { open, gate } = narrow();
  const [busy, other] = [open('busy'), open('other')];
  busy.session.submit(prompt('long'));
  other.session.submit(prompt('never'));
  await other.gated.dispose();
  busy.engine.end();
  await nextTick();
  expect([other.engine.started.length, gate.inside, gate.waiting]).toEqual([0, 0, 0]);
});

test('only the time that a turn works counts towards its limit, not the time it waits for an answer', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const engine = new ManualTask();
  const gate = new FairGate({ width: 1, maxWaiting: 10 });
  const gated = new GatedEngine({ open: () => engine, gate, owner: 'a', canResume: () => true, secondsPerTurn: 10 });
  const session = new Session({ id: 'a', engine: gated, store: memoryStore() });
  session.submit(prompt('first'));
  await vi.advanceTimersByTimeAsync(6000);
  engine.report({ type: 'tool', call: waitingShell() });
  await vi.advanceTimersByTimeAsync(3_600_000);
  session.answer('call-1', allow, alice);
  await vi.advanceTimersByTimeAsync(3900);
  expect(engine.cancels).toBe(0);
  await vi.advanceTimersByTimeAsync(200);
  expect(engine.cancels).toBe(1);
  engine.end('canceled');
  expect(session.eventsAfter(0).at(-1)).toMatchObject({
    state: 'failed',
    error: 'the turn worked longer than 10 s, which is the limit',
  });
});

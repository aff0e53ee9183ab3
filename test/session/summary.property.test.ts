import { expect, test } from 'vitest';
import type { SessionEvent, ShownEnd } from '../../src/domain/events.js';
import { loadEvents } from '../../src/session/load-events.js';
import { Recall } from '../../src/session/recall.js';
import { eventsIn, readSummary, recallFrom, toSummary } from '../../src/session/summary.js';
import { memoryStore } from '../../src/stores/memory.js';
import type { Json } from '../../src/domain/json.js';
import { anyEvent } from '../support/any-event.js';
import { fc } from '../support/properties.js';

/** Any events, of a few turns and calls, so that they have to do with each other. */
const log: fc.Arbitrary<SessionEvent[]> = fc
  .array(fc.tuple(anyEvent, fc.nat(3), fc.nat(2), fc.option(fc.nat(4), { nil: undefined })), { maxLength: 60 })
  .map((events) =>
    events.map(([event, turn, call, message], index) => {
      const stamped = { ...event, seq: index + 1, turnId: `turn-${turn}` };
      if (stamped.type === 'tool') return { ...stamped, call: { ...stamped.call, id: `call-${call}` } };
      if (stamped.type !== 'prompt' || message === undefined) return stamped;
      return { ...stamped, messageId: `message-${message}` };
    }),
  );

function recall(events: readonly SessionEvent[], turnEnd: ShownEnd): Recall {
  const recalled = new Recall(turnEnd);
  for (const event of events) recalled.add(event);
  return recalled;
}

/** Everything that is recalled; maps as lists, for their order counts. */
function knownBy({ state }: Recall) {
  const { calls, queued, paused, answered, messages, ...rest } = state;
  return {
    ...rest,
    calls: [...calls],
    queued: [...queued],
    paused: [...paused],
    answered: answered.all,
    messages: messages.all,
  };
}

test('what is recalled from a summary and the events after it is what is recalled from all, wherever it was made', () => {
  const turnEnds = fc.constantFrom<ShownEnd>('completed', 'input-required');
  fc.assert(
    fc.property(log, fc.nat(60), turnEnds, (events, length, turnEnd) => {
      const [before, after] = [events.slice(0, length), events.slice(length)];
      const summary = readSummary(toSummary(recall(before, turnEnd)), turnEnd);
      expect(summary?.seq).toBe(before.length);
      const needed = new Set(summary && eventsIn(summary));
      const restored = summary && recallFrom(summary, new Map(events.map((event) => [event.seq, event])));
      expect([...needed].every((seq) => seq <= before.length)).toBe(true);
      for (const event of after) restored?.add(event);
      expect(restored && knownBy(restored)).toEqual(knownBy(recall(events, turnEnd)));
    }),
    { numRuns: 1000 },
  );
});

test('a summary does not grow with the turns, nor with what is in the events', () => {
  const text = 'x'.repeat(10_000);
  const events = Array.from({ length: 20_000 }, (_, index): SessionEvent => {
    const stamp = { seq: index + 1, at: '', sessionId: 's', turnId: `s.turn-${Math.floor(index / 2)}` };
    if (index % 2 === 1) return { ...stamp, type: 'turn', state: 'completed' };
    return { ...stamp, type: 'prompt', text, origin: { surface: 'a2a' }, messageId: `message-${index}` };
  });
  expect(JSON.stringify(toSummary(recall(events, 'input-required'))).length).toBeLessThan(200_000);
});

test.each([
  ['of another version', { version: 1 }],
  ['for another end of turns', { whenDone: 'input-required' }],
  ['that knows more than the log', { seq: 4 }],
  ['that needs an event that is not there', { calls: [9] }],
  ['that is none', { messages: 'many' }],
])('a summary %s is not believed: all events are read', async (_name, change) => {
  const store = memoryStore();
  const events = [1, 2, 3].map((seq): SessionEvent => {
    const stamp = { seq, at: '', sessionId: 's', turnId: 's.1' };
    return { ...stamp, type: 'prompt', text: `${seq}`, origin: { surface: 'a2a' }, messageId: `${seq}` };
  });
  for (const event of events) await store.append(event);
  const truth = toSummary(recall(events, 'completed')) as Record<string, Json>;
  await store.saveSummary('s', { ...truth, lastState: 'failed', ...change });
  const loaded = await loadEvents(store, 's', 'completed');
  expect(knownBy(loaded.recall)).toEqual(knownBy(recall(events, 'completed')));
});

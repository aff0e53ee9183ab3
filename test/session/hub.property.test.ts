import { fc } from '../support/properties.js';
import { expect, test } from 'vitest';
import type { SessionEvent } from '../../src/domain/events.js';
import { EventLog } from '../../src/session/log/event-log.js';
import { memoryStore } from '../../src/stores/memory.js';
import { openHub, prompt } from '../support/hub.js';
import { waitingShell } from '../support/manual-engine.js';

type Hub = ReturnType<typeof openHub>;

/** Anything that can happen to a hub, in any order. */
const move = fc.oneof(
  fc.record({ do: fc.constant('prompt' as const), by: fc.nat(5) }),
  fc.record({ do: fc.constant('say' as const) }),
  fc.record({ do: fc.constant('ask' as const), call: fc.nat(3) }),
  fc.record({ do: fc.constant('answer' as const), call: fc.nat(3), by: fc.nat(5), yes: fc.boolean() }),
  fc.record({ do: fc.constant('click' as const), call: fc.nat(3) }),
  fc.record({ do: fc.constant('end' as const) }),
  fc.record({ do: fc.constant('cancel' as const), by: fc.nat(5) }),
  fc.record({ do: fc.constant('type' as const) }),
);
const moves = fc.array(move, { maxLength: 60 });

let calls = 0;

function make({ engine, session }: Hub, step: typeof move extends fc.Arbitrary<infer T> ? T : never): void {
  const by = { surface: 'a2a', client: `c${'by' in step ? step.by : 0}` } as const;
  try {
    switch (step.do) {
      case 'prompt':
        return void session.submit(prompt(`from ${by.client}`, by));
      case 'say':
        return engine.say('text');
      case 'ask':
        return engine.report({ type: 'tool', call: waitingShell(`call-${step.call}`, `question-${calls++}`) });
      case 'answer':
        return void session.answer(`call-${step.call}`, { optionId: step.yes ? 'proceed_once' : 'cancel' }, by);
      case 'click':
        return void engine.host.tryAnswer(`call-${step.call}`, 'proceed_once');
      case 'end':
        return engine.end();
      case 'cancel':
        return session.cancel(by);
      case 'type':
        if (!engine.isReady) return undefined;
        engine.isReady = false;
        return engine.report({ type: 'started', text: 'typed', origin: { surface: 'tui' } });
    }
  } catch (error) {
    // Refusals are part of the game; anything else is not.
    expect(error).toHaveProperty('code');
  }
}

test('whatever happens, seq is 1, 2, 3 … without gaps', () => {
  fc.assert(
    fc.property(moves, (steps) => {
      const hub = openHub();
      for (const step of steps) make(hub, step);
      expect(hub.events.map((event) => event.seq)).toEqual(hub.events.map((_event, index) => index + 1));
    }),
    { numRuns: 300 },
  );
});

test('a client that joins anywhere with any cursor sees exactly what the others saw after it', () => {
  fc.assert(
    fc.property(moves, fc.nat(60), fc.nat(200), (steps, joinAt, cursor) => {
      const hub = openHub();
      const late: SessionEvent[] = [];
      let from: number | undefined;
      steps.forEach((step, index) => {
        if (index === joinAt) {
          from = Math.min(cursor, hub.session.seq);
          hub.session.subscribe((event) => late.push(event), from);
        }
        make(hub, step);
      });
      if (from !== undefined) expect(late).toEqual(hub.events.slice(from));
    }),
    { numRuns: 300 },
  );
});

test('each question has at most one winner, and the engine hears of exactly that one', () => {
  fc.assert(
    fc.property(moves, (steps) => {
      const hub = openHub();
      const asked: string[] = [];
      hub.session.subscribe((event) => {
        if (event.type === 'tool' && event.call.status === 'waiting') asked.push(event.call.correlationId ?? '');
      });
      for (const step of steps) make(hub, step);
      expect(new Set(asked).size).toBe(asked.length);
      // What is asked after a cancel is denied, and nobody else is asked.
      const allowed = hub.engine.answered.filter(({ answer }) => answer.optionId !== 'cancel');
      expect(allowed.length).toBeLessThanOrEqual(asked.length);
      expect(hub.engine.answered.length).toBeLessThanOrEqual(steps.filter((step) => step.do === 'ask').length);
    }),
    { numRuns: 300 },
  );
});

test('of N answers to one question, one wins and N - 1 are told who it was', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.nat(50), (clients, terminalAt) => {
      const hub = openHub();
      hub.session.submit(prompt('go'));
      hub.engine.report({ type: 'tool', call: waitingShell() });
      const winners: string[] = [];
      const told: unknown[] = [];
      for (let i = 0; i < clients; i++) {
        if (i === terminalAt && hub.engine.host.tryAnswer('call-1', 'cancel')) winners.push('tui');
        try {
          hub.session.answer('call-1', { optionId: 'proceed_once' }, { surface: 'a2a', client: `c${i}` });
          winners.push(`c${i}`);
        } catch (error) {
          told.push((error as { details: { resolvedBy: { client?: string; surface: string } } }).details.resolvedBy);
        }
      }
      expect(winners).toHaveLength(1);
      expect(new Set(told.map((by) => JSON.stringify(by))).size).toBeLessThanOrEqual(1);
      expect(hub.engine.answered).toHaveLength(winners[0] === 'tui' ? 0 : 1);
    }),
  );
});

test('queued prompts run in the order they were accepted, one per turn', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 80 }), (steps) => {
      const hub = openHub();
      const accepted: string[] = [];
      steps.forEach((isPrompt, index) => {
        if (!isPrompt) return hub.engine.end();
        hub.session.submit(prompt(`p${index}`));
        accepted.push(`p${index}`);
      });
      for (let i = 0; i < steps.length; i++) hub.engine.end();
      expect(hub.engine.started.map((request) => request.text)).toEqual(accepted);
    }),
  );
});

test('the log forgets the oldest events at its limits and says from where it can replay', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 200 }), (keepEvents, count) => {
      const log = new EventLog({ sessionId: 's', store: memoryStore(), keepEvents, onError: () => {} });
      for (let i = 0; i < count; i++) log.append(undefined, { type: 'text', text: `${i}` });
      const kept = Math.min(keepEvents, count);
      expect(log.oldest).toBe(count - kept + 1);
      expect(log.after(0).map((event) => event.seq)).toEqual(
        Array.from({ length: kept }, (_, i) => count - kept + 1 + i),
      );
      const place = count > kept ? undefined : 'memory';
      expect([
        log.whereAfter(log.oldest - 1),
        log.whereAfter(Math.max(0, log.oldest - 2)),
        log.whereAfter(count + 1),
      ]).toEqual(['memory', place, undefined]);
    }),
  );
});

test('the log holds at most its bytes, however large the events', () => {
  const log = new EventLog({ sessionId: 's', store: memoryStore(), keepBytes: 10_000, onError: () => {} });
  for (let i = 0; i < 100; i++) log.append(undefined, { type: 'text', text: 'x'.repeat(3000) });
  expect(log.after(0)).toHaveLength(3);
});

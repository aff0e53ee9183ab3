import { expect, test } from 'vitest';
import type { SessionEvent } from '../../src/domain/events.js';
import { cutEvent } from '../../src/session/log/cut-event.js';
import { weightOf } from '../../src/domain/event-weight.js';
import { anyEvent } from '../support/any-event.js';
import { fc } from '../support/properties.js';

const most = 1.25 * 1024 * 1024;

test('an event that is not too large is sent as it is', () => {
  fc.assert(fc.property(anyEvent, (event) => cutEvent(event) === event));
});

test('an event of any kind, however large, is sent in a size that clients can take', () => {
  fc.assert(
    fc.property(anyEvent.map(enlarged), (event) => {
      const sent = cutEvent(event);
      expect(weightOf(sent)).toBeLessThanOrEqual(most);
      expect(sent).toMatchObject({ type: event.type, seq: event.seq, turnId: event.turnId });
      expect(Object.keys(sent)).toEqual(Object.keys(event));
    }),
  );
});

test('what is cut says how much there was, and where it is', () => {
  const sent = cutEvent({ type: 'text', text: '👋'.repeat(most), seq: 7, at: '', sessionId: 'a b' });
  const { text } = sent.type === 'text' ? sent : { text: '' };
  expect(text).toMatch(/^(👋)+\n\[cut: 2621440 characters in all, the whole is at \/tasks\/a%20b\/events\/7\]$/u);
});

test('the texts of a kind that has no case of its own are cut, too', () => {
  const long = 'x'.repeat(most);
  const by = { surface: 'a2a', client: long } as const;
  const sent = cutEvent({ type: 'settings', model: long, by, seq: 1, at: '', sessionId: 's' });
  expect(weightOf(sent)).toBeLessThan(most);
  const cut = expect.stringMatching(/^x+\n\[cut: /);
  expect(sent).toMatchObject({ type: 'settings', model: cut, by: { surface: 'a2a', client: cut } });
});

test('data of a million small values is cut, too', () => {
  const data = { list: Array.from({ length: 1_000_000 }, (_, index) => index), last: true };
  const artifact = { id: 'a', name: 'a', parts: [{ kind: 'data', data }] } as const;
  const sent = cutEvent({ type: 'artifact', artifact, seq: 1, at: '', sessionId: 's' });
  expect(weightOf(sent)).toBeLessThan(most);
  expect(JSON.stringify(sent)).toContain('[cut: 1000000 values in all, the whole is at /tasks/s/events/1]');
});

/** The event with every text that somebody wrote made long; ids, names and times stay. */
function enlarged(event: SessionEvent): SessionEvent {
  const isLong = /^(text|description|message|error|reason|command|liveOutput|content|newContent|formatted|base64)$/;
  const json = JSON.stringify(event, (key: string, value: unknown) =>
    typeof value === 'string' && isLong.test(key) ? `${value}${'x'.repeat(2_000_000)}` : value,
  );
  return JSON.parse(json) as SessionEvent;
}

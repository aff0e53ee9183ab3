import { expect, test } from 'vitest';
import type { SessionEvent } from '../../src/domain/events.js';
import { fold } from '../../src/session/folded-history.js';
import { anyEvent } from '../support/any-event.js';
import { fc } from '../support/properties.js';

const textOf = (events: readonly SessionEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');
const idsOf = (events: readonly SessionEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'tool' ? [event.call.id] : []));

test('folding loses no word and no call, keeps the last state of each, and changes nothing the second time', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
      const folded = fold(events);
      expect(textOf(folded)).toBe(textOf(events));
      expect(idsOf(folded)).toEqual([...new Set(idsOf(events))]);
      for (const event of folded)
        if (event.type === 'tool')
          expect(event).toBe(events.findLast((each) => each.type === 'tool' && each.call.id === event.call.id));
      const states = events.filter(({ type }) => type === 'turn');
      expect(folded.filter(({ type }) => type === 'turn')).toEqual(states.slice(-1));
      expect(fold(folded)).toEqual(folded);
    }),
  );
});

import { test } from 'vitest';
import type { SessionEvent } from '../../src/domain/events.js';
import { weightOf } from '../../src/domain/event-weight.js';
import { anyEvent } from '../support/any-event.js';
import { fc } from '../support/properties.js';

test('an event of any kind weighs at least its text', () => {
  fc.assert(fc.property(anyEvent, (event) => weightOf(event) >= textIn(event)));
});

/** What a JSON reader would find: names and texts, at any depth. */
function textIn(event: SessionEvent): number {
  let length = 0;
  JSON.parse(JSON.stringify(event), (key: string, value: unknown) => {
    // Elements of arrays have numbers for names.
    length += (/^\d+$/.test(key) ? 0 : key.length) + (typeof value === 'string' ? value.length : 0);
    return value;
  });
  return length;
}

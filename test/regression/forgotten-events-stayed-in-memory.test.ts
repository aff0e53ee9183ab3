import { expect, test } from 'vitest';
import { EventLog } from '../../src/session/log/event-log.js';
import { memoryStore } from '../../src/stores/memory.js';
import { alreadyStored } from '../../src/stores/store.js';
import { longEvent } from '../stores/samples.js';
import { countLive } from '../support/live-objects.js';

const text = 'x'.repeat(100_000);
/** Room for ten of a hundred. */
const keepBytes = 10.5 * text.length;
/** What is forgotten may take up as much again as a quarter of what is kept, until the next event. */
const most = 13;

test('the log lets go of events that its bytes have no room for', async () => {
  const store = { ...memoryStore(), append: () => alreadyStored };
  const log = new EventLog({ sessionId: 's', store, keepBytes, onError: () => {} });
  const events = Array.from({ length: 100 }, () => new WeakRef(log.append(undefined, { type: 'text', text })));
  expect(await countLive(events)).toBeLessThanOrEqual(most);
  expect(log.after(0)).toHaveLength(10);
});

test('the memory store keeps no more than its bytes of a session', async () => {
  const store = memoryStore({ keepBytes });
  const events = Array.from({ length: 100 }, (_, index) => {
    const event = longEvent('s', index + 1, text);
    void store.append(event);
    return new WeakRef(event);
  });
  expect(await countLive(events)).toBeLessThanOrEqual(most);
  expect(await store.read('s', 0, 100)).toHaveLength(10);
});

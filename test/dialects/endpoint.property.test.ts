import { expect, test } from 'vitest';
import { endpointJson } from '../../src/dialects/endpoint/dialect.js';
import { toEndpoint } from '../../src/dialects/endpoint/to-wire.js';
import { anyEvent } from '../support/any-event.js';
import { undocumented } from '../support/known-events.js';
import { fc } from '../support/properties.js';
import type { WireEvent } from '../support/wire-client.js';

test('whatever happens in a session reaches a client in the documented form', () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      const sent = JSON.stringify(toEndpoint({ ...event, seq: event.seq + 1 }));
      expect(undocumented([JSON.parse(sent) as WireEvent])).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('an event that is put together as text is the one that its object gives', () => {
  const json = endpointJson();
  fc.assert(
    fc.property(anyEvent, (event) => {
      expect(json(event)).toBe(JSON.stringify(toEndpoint(event)));
    }),
    { numRuns: 500 },
  );
});

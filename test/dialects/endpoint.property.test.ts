import { expect, test } from 'vitest';
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
